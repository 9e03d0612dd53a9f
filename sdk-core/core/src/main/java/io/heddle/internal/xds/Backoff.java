// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: anything up to a bound that doubles. Many clients lose
 * one server at the same moment, so the whole delay is random.
 */
final class Backoff {

  private final long firstNanos;
  private final long capNanos;
  private final RandomGenerator random;
  private long boundNanos;

  /**
   * Makes a back-off.
   *
   * @param first the bound of the first delay
   * @param cap what the bound grows to
   * @param random where delays come from
   */
  Backoff(Duration first, Duration cap, RandomGenerator random) {
    if (first.isNegative() || first.isZero() || cap.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "back-off from " + first + " to " + cap + " (expected: 0 < first <= cap)");
    }
    this.firstNanos = first.toNanos();
    this.capNanos = cap.toNanos();
    this.random = random;
    this.boundNanos = firstNanos;
  }

  /** The delay before the next attempt. */
  Duration next() {
    Duration delay = Duration.ofNanos(random.nextLong(boundNanos + 1));
    boundNanos = Math.min(capNanos, boundNanos > capNanos / 2 ? capNanos : boundNanos * 2);
    return delay;
  }

  /** Forgets the failures: the connection has proved itself. */
  void reset() {
    boundNanos = firstNanos;
  }
}
