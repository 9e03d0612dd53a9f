// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

/** Checks port numbers at the border. */
final class Ports {

  private Ports() {}

  static int require(int port) {
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
    }
    return port;
  }
}
