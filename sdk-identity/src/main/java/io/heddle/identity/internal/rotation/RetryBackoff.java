// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after a failed renewal: longer with each failure, and never more than a small
 * part of the life that the held certificate has left. Confined to the thread that renews.
 */
public final class RetryBackoff {

  private static final Duration UNLIMITED = Duration.ofDays(1);

  private final RetryPace pace;
  private final RandomGenerator random;
  private int failures;

  /** A back-off that has seen no failure yet. */
  public RetryBackoff(RetryPace pace, RandomGenerator random) {
    this.pace = pace;
    this.random = random;
  }

  /**
   * The wait after one more failure.
   *
   * @param remaining what the held certificate has left; zero or negative without one
   */
  public Duration next(Duration remaining) {
    boolean holdsOne = remaining.compareTo(Duration.ZERO) > 0;
    Duration most = holdsOne ? pace.ceiling(remaining) : UNLIMITED;
    return pace.wait(failures++, most, random);
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
