// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Skips a test, with the reason in one line, where the machine lacks something; {@code
 * -Dheddle.require=name,...} turns that skip into a failure.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(RequirementCondition.class)
public @interface Requires {

  /** Names of what the test needs, such as {@code boringssl} or {@code envoy}. */
  String[] value();
}
