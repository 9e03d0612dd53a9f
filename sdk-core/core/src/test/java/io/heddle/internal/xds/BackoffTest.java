// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private static final Duration FIRST = Duration.ofMillis(10);
  private static final Duration CAP = Duration.ofSeconds(30);

  /** A source that always gives the largest number it may. */
  private static final RandomGenerator LARGEST =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return -1;
        }

        @Override
        public long nextLong(long bound) {
          return bound - 1;
        }
      };

  @Test
  @DisplayName("the bound doubles from 10 ms to 30 s and stays there")
  void doublesUpToTheCap() {
    Backoff backoff = new Backoff(FIRST, CAP, LARGEST);
    List<Long> bounds = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      bounds.add(backoff.next().toMillis());
    }

    assertThat(bounds)
        .startsWith(10L, 20L, 40L, 80L, 160L)
        .endsWith(10_240L, 20_480L, 30_000L, 30_000L, 30_000L);
  }

  @Test
  @DisplayName("a connection that proved itself starts the bound anew")
  void resetStartsAnew() {
    Backoff backoff = new Backoff(FIRST, CAP, LARGEST);
    for (int i = 0; i < 10; i++) {
      backoff.next();
    }

    backoff.reset();

    assertThat(backoff.next()).isEqualTo(FIRST);
  }

  @Test
  @DisplayName("B082 clients that fail together do not come back together")
  void delaysAreSpread() {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    List<Long> delays = new ArrayList<>();
    for (int client = 0; client < 200; client++) {
      Backoff backoff = new Backoff(Duration.ofSeconds(1), CAP, random);
      delays.add(backoff.next().toMillis());
    }

    assertThat(delays).anyMatch(delay -> delay < 250).anyMatch(delay -> delay > 750);
    assertThat(delays).allMatch(delay -> delay <= 1000);
  }
}
