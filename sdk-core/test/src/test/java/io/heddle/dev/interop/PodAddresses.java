// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Loopback addresses for pods; each needs port 15008, which is fixed, for itself. */
final class PodAddresses {

  private static final int HBONE_PORT = 15008;
  private static final int ATTEMPTS = 100;

  private PodAddresses() {}

  /** The beginning of so many free addresses, which end in 1, 2 and so on. */
  static String free(int count) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      String net = "127." + random.nextInt(64, 255) + "." + random.nextInt(1, 255) + ".";
      if (areFree(net, count)) {
        return net;
      }
    }
    throw new IllegalStateException("no loopback addresses with a free port " + HBONE_PORT);
  }

  private static boolean areFree(String net, int count) {
    for (int host = 1; host <= count; host++) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(net + host, HBONE_PORT));
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }
}
