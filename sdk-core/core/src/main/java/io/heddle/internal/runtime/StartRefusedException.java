// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import org.jspecify.annotations.Nullable;

/** The mesh cannot start as configured. */
public final class StartRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String decided;
  private final String advice;

  StartRefusedException(String decided, String advice, @Nullable Throwable cause) {
    super(decided + "; " + advice, cause);
    this.decided = decided;
    this.advice = advice;
  }

  /** What is wrong. */
  public String decided() {
    return decided;
  }

  /** What to do. */
  public String advice() {
    return advice;
  }
}
