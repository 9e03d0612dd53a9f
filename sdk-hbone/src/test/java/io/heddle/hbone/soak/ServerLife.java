// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import io.heddle.hbone.netty.HboneServer;
import io.netty.util.concurrent.Future;
import java.time.Duration;

/** A server from its bind to the end of its drain. */
final class ServerLife {
  /** Clocks of several threads take part: what a drain cuts may be noticed this much early. */
  private static final long TOLERANCE_NANOS = 20_000_000;

  private final HboneServer server;
  private volatile long cutAtNanos = Long.MAX_VALUE;

  ServerLife(HboneServer server) {
    this.server = server;
  }

  Future<Void> drain(Duration grace) {
    cutAtNanos = System.nanoTime() + grace.toNanos() - TOLERANCE_NANOS;
    return server.drain(grace);
  }

  /** Whether a tunnel of this server may be cut by its drain by now. */
  boolean mayCut() {
    long cutAt = cutAtNanos;
    return cutAt != Long.MAX_VALUE && System.nanoTime() - cutAt >= 0;
  }

  int connections() {
    return server.connections();
  }
}
