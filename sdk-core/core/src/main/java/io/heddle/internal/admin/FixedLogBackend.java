// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

/**
 * A backend whose levels are its own affair.
 *
 * @param type the name of its class
 */
record FixedLogBackend(String type) implements LogBackend {

  @Override
  public String level(String logger) {
    throw unsupported();
  }

  @Override
  public void set(String logger, String level) {
    throw unsupported();
  }

  private UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException(
        "log levels are not changed here: the backend is "
            + type
            + ", and only those of Logback and java.util.logging can be; use its own"
            + " configuration");
  }
}
