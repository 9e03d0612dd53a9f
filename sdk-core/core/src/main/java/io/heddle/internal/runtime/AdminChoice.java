// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

/**
 * Whether operators are served, and where.
 *
 * @param served whether at all
 * @param port on loopback; 0 for any that is free
 */
public record AdminChoice(boolean served, int port) {

  /** Nobody is served. */
  public static final AdminChoice OFF = new AdminChoice(false, 0);

  /** Where operators look for it in a pod (HBONE reference 7.5). */
  static final AdminChoice IN_POD = new AdminChoice(true, 15000);

  /** Operators are served at a port. */
  public static AdminChoice at(int port) {
    return new AdminChoice(true, port);
  }
}
