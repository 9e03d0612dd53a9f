// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class RetryBackoffTest {

  private final RetryBackoff backoff = new RetryBackoff(RetryPace.NEARBY, new Random(7));

  @Test
  @DisplayName("the ceiling doubles from one second to a minute")
  void grows() {
    for (int round = 0; round < 50; round++) {
      backoff.reset();
      for (long ceiling : new long[] {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
        assertThat(backoff.next(Duration.ofDays(1)))
            .isBetween(Duration.ofMillis(250), Duration.ofSeconds(ceiling));
      }
    }
  }

  @Test
  @DisplayName("the whole range below the ceiling is used")
  void fullJitter() {
    Duration least = Duration.ofDays(1);
    Duration most = Duration.ZERO;
    for (int i = 0; i < 200; i++) {
      backoff.reset();
      Duration next = backoff.next(Duration.ofDays(1));
      least = next.compareTo(least) < 0 ? next : least;
      most = next.compareTo(most) > 0 ? next : most;
    }
    assertThat(least).isLessThan(Duration.ofMillis(300));
    assertThat(most).isGreaterThan(Duration.ofMillis(900));
  }

  @Test
  @DisplayName("never waits for more than a tenth of the remaining life")
  void cappedByRemainingLife() {
    for (int i = 0; i < 100; i++) {
      assertThat(backoff.next(Duration.ofSeconds(30))).isLessThanOrEqualTo(Duration.ofSeconds(3));
    }
  }

  @Test
  @DisplayName("never loops, however little life is left")
  void floor() {
    assertThat(backoff.next(Duration.ofMillis(3))).isEqualTo(Duration.ofMillis(250));
  }
}
