// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/**
 * Addresses for the workloads of one test. The port of tunnels is fixed, so that each test needs
 * addresses that nobody else listens on.
 */
final class LoopbackAddresses {

  private static final int HBONE_PORT = 15008;
  private static final int ATTEMPTS = 100;
  private static final int MOST = 250;

  private final String prefix;
  private int given;

  private LoopbackAddresses(String prefix) {
    this.prefix = prefix;
  }

  /** As many addresses as asked for, all free now, and all with a like beginning. */
  static LoopbackAddresses find(int count, RandomGenerator random) {
    if (count > MOST) {
      throw new IllegalArgumentException(count + " workloads (expected: at most " + MOST + ")");
    }
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      String prefix = "127." + random.nextInt(64, 255) + "." + random.nextInt(1, 255) + ".";
      if (areFree(prefix, count)) {
        return new LoopbackAddresses(prefix);
      }
    }
    throw new IllegalStateException(
        "no loopback addresses with a free port " + HBONE_PORT + "; is 127.0.0.0/8 local here?");
  }

  /** The next address. */
  String next() {
    given++;
    return prefix + given;
  }

  private static boolean areFree(String prefix, int count) {
    for (int host = 1; host <= count; host++) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(prefix + host, HBONE_PORT));
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }
}
