// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after a failed renewal: full jitter below an exponentially growing ceiling, and
 * never more than a small part of the life that the held certificate has left. Confined to the
 * thread that renews.
 */
public final class RetryBackoff {

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration CEILING = Duration.ofSeconds(60);
  private static final Duration FLOOR = Duration.ofMillis(250);
  private static final int TENTHS = 10;

  /** Doubling more often than this passes the ceiling anyway. */
  private static final int MOST_DOUBLINGS = 6;

  private final RandomGenerator random;
  private int failures;

  /** A back-off that has seen no failure yet. */
  public RetryBackoff(RandomGenerator random) {
    this.random = random;
  }

  /**
   * The wait after one more failure.
   *
   * @param remaining what the held certificate has left; zero or negative without one
   */
  public Duration next(Duration remaining) {
    Duration ceiling = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
    failures++;
    if (ceiling.compareTo(CEILING) > 0) {
      ceiling = CEILING;
    }
    Duration tenth = remaining.dividedBy(TENTHS);
    if (remaining.compareTo(Duration.ZERO) > 0 && tenth.compareTo(ceiling) < 0) {
      ceiling = tenth;
    }
    long spread = ceiling.minus(FLOOR).toMillis();
    return spread <= 0 ? FLOOR : FLOOR.plusMillis(random.nextLong(spread + 1));
  }

  /** Failures since the last success. */
  public int failures() {
    return failures;
  }

  /** Starts over, after a success. */
  public void reset() {
    failures = 0;
  }
}
