// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A policy by which only the given callers reach a workload, for {@link MeshTest}. */
@Documented
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Allow {

  /**
   * Whom they reach.
   *
   * @return {@code namespace/name} of a workload
   */
  String to();

  /**
   * Who reaches it.
   *
   * @return service accounts, each as {@code namespace/name}; none admits nobody
   */
  String[] from();
}
