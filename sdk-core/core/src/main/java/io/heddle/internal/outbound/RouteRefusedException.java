// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import java.io.IOException;

/** The mesh knows the destination, or should, and has no way to it that it may take. */
public final class RouteRefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String decided;
  private final String advice;

  RouteRefusedException(String decided, String advice) {
    super(decided + "; " + advice);
    this.decided = decided;
    this.advice = advice;
  }

  /** Why there is no way. */
  public String decided() {
    return decided;
  }

  /** What to do. */
  public String advice() {
    return advice;
  }
}
