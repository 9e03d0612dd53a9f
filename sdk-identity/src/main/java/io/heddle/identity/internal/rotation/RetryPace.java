// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How the waits between failed renewals grow, before what the held certificate allows. */
public enum RetryPace {

  /**
   * Full jitter below one second, doubled up to a minute: for an issuer in this process or on this
   * machine.
   */
  NEARBY {
    @Override
    Duration wait(int failuresBefore, Duration most, RandomGenerator random) {
      Duration ceiling = shorter(doubled(failuresBefore, NEARBY_CAP), most);
      long spread = ceiling.minus(FLOOR).toMillis();
      return spread <= 0 ? FLOOR : FLOOR.plusMillis(random.nextLong(spread + 1));
    }

    @Override
    Duration ceiling(Duration remaining) {
      return remaining.dividedBy(TENTHS);
    }
  },

  /**
   * One second, doubled up to 150 seconds, each wait up to a fifth shorter or longer: what the
   * ambient node proxy does to an authority that a whole cluster asks (control-plane reference
   * 4.4).
   */
  SHARED_AUTHORITY {
    @Override
    Duration wait(int failuresBefore, Duration most, RandomGenerator random) {
      Duration base = doubled(failuresBefore, SHARED_CAP);
      double factor = random.nextDouble(1 - SPREAD, 1 + SPREAD);
      return shorter(Duration.ofMillis((long) (base.toMillis() * factor)), most);
    }

    @Override
    Duration ceiling(Duration remaining) {
      Duration tenth = remaining.dividedBy(TENTHS);
      return tenth.compareTo(FIRST) < 0 ? FIRST : tenth;
    }
  };

  static final Duration FLOOR = Duration.ofMillis(250);

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration NEARBY_CAP = Duration.ofSeconds(60);
  private static final Duration SHARED_CAP = Duration.ofSeconds(150);
  private static final double SPREAD = 0.2;
  private static final int TENTHS = 10;

  /** Doubling more often than this passes every cap anyway. */
  private static final int MOST_DOUBLINGS = 8;

  /** The wait after a failure that came after so many others. */
  abstract Duration wait(int failuresBefore, Duration most, RandomGenerator random);

  /** The longest wait that the rest of the held certificate's life allows. */
  abstract Duration ceiling(Duration remaining);

  private static Duration doubled(int failures, Duration cap) {
    return shorter(FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS)), cap);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
