// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0
package io.heddle.hbone.internal.h2;

/**
 * How long a frame and its answer take on one connection: the shortest seen, as everything else is
 * waiting. Event loop only.
 */
final class RoundTrip {
  private long shortest = Long.MAX_VALUE;
  private long sentAt;
  private boolean underWay;

  /** Something was sent that the peer answers at once. */
  void sent(long nanoTime) {
    if (!underWay) {
      underWay = true;
      sentAt = nanoTime;
    }
  }

  void answered(long nanoTime) {
    if (underWay) {
      underWay = false;
      shortest = Math.min(shortest, nanoTime - sentAt);
    }
  }

  /** Zero as long as nothing was answered. */
  long nanos() {
    return shortest == Long.MAX_VALUE ? 0 : shortest;
  }
}
