// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A workload with a service of the same name in front, for {@link MeshTest}. */
@Documented
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Serves {

  /**
   * The workload, and the service.
   *
   * @return {@code namespace/name}
   */
  String value();

  /**
   * What clients dial.
   *
   * @return the service's port
   */
  int port() default 80;

  /**
   * What the workload exposes.
   *
   * @return the workload's port
   */
  int targetPort() default 8080;
}
