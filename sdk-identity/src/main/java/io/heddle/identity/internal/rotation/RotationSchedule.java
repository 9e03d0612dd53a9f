// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * When a certificate is renewed (identity reference 5.1): around half of its life, spread so that a
 * fleet that started at once does not renew at once.
 */
public final class RotationSchedule {

  /** How far ahead of our clock a certificate may begin to be valid (identity reference 5.6). */
  static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  private static final double EARLIEST = 0.45;
  private static final double LATEST = 0.55;

  /** What must be left when the renewal starts; a life below twice this keeps only its share. */
  private static final Duration RESERVE = Duration.ofSeconds(30);

  private static final double RESERVED_SHARE = 0.2;

  private static final Duration LEAST_SPACING = Duration.ofMillis(500);
  private static final Duration USUAL_SPACING = Duration.ofSeconds(10);

  private final RandomGenerator random;

  /** Each source passes a generator of its own, so that sources spread. */
  public RotationSchedule(RandomGenerator random) {
    this.random = random;
  }

  /**
   * When to renew a certificate received at {@code receivedAt}: at once where it is expired or not
   * valid yet, else after a random share of its remaining life.
   */
  public Instant renewAt(Instant receivedAt, Instant notBefore, Instant notAfter) {
    if (!notAfter.isAfter(receivedAt) || notBefore.isAfter(receivedAt.plus(CLOCK_SKEW))) {
      return receivedAt;
    }
    // Counted from receipt: a backdated start is not life that we can use.
    Duration life = Duration.between(later(notBefore, receivedAt), notAfter);
    if (life.isNegative()) {
      return receivedAt;
    }
    Instant planned = receivedAt.plus(share(life, random.nextDouble(EARLIEST, LATEST)));
    Duration reserve = share(life, RESERVED_SHARE);
    if (life.compareTo(RESERVE.multipliedBy(2)) >= 0 && reserve.compareTo(RESERVE) < 0) {
      reserve = RESERVE;
    }
    return earlier(planned, notAfter.minus(reserve));
  }

  /** The least time between two renewals, so that very short certificates cannot make us loop. */
  public Duration spacing(Instant receivedAt, Instant notAfter) {
    Duration quarter = Duration.between(receivedAt, notAfter).dividedBy(4);
    if (quarter.compareTo(LEAST_SPACING) < 0) {
      return LEAST_SPACING;
    }
    return quarter.compareTo(USUAL_SPACING) < 0 ? quarter : USUAL_SPACING;
  }

  private static Duration share(Duration life, double share) {
    return Duration.ofMillis((long) (life.toMillis() * share));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
