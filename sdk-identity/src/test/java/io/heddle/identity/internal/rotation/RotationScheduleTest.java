// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RotationScheduleTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final RotationSchedule schedule = new RotationSchedule(new Random(7));

  @Test
  @DisplayName("TLS-02 valid renews around half life, expired and not yet valid renew now")
  void nextRefresh() {
    Instant valid = schedule.renewAt(NOW, NOW.minusSeconds(120), NOW.plusSeconds(3600));
    Instant expired = schedule.renewAt(NOW, NOW.minusSeconds(3600), NOW.minusSeconds(1));
    Instant future = schedule.renewAt(NOW, NOW.plusSeconds(600), NOW.plusSeconds(3600));

    assertThat(valid).isBetween(NOW.plusSeconds(1620), NOW.plusSeconds(1980));
    assertThat(expired).isEqualTo(NOW);
    assertThat(future).isEqualTo(NOW);
  }

  @Test
  @DisplayName("the life counts from receipt, however old the certificate is")
  void countsFromReceipt() {
    Instant renewAt = schedule.renewAt(NOW, NOW.minusSeconds(36_000), NOW.plusSeconds(1000));

    assertThat(renewAt).isBetween(NOW.plusSeconds(450), NOW.plusSeconds(550));
  }

  @Test
  @DisplayName("a certificate that begins within the clock skew counts from its beginning")
  void beginsWithinSkew() {
    Instant renewAt = schedule.renewAt(NOW, NOW.plusSeconds(50), NOW.plusSeconds(1050));

    assertThat(renewAt).isBetween(NOW.plusSeconds(450), NOW.plusSeconds(550));
  }

  @ParameterizedTest(name = "{0} s")
  @ValueSource(longs = {60, 62, 66, 70, 120, 300, 86_400})
  @DisplayName("where the life allows, at least 30 s and 20 percent are left")
  void reserve(long lifeSeconds) {
    Instant end = NOW.plusSeconds(lifeSeconds);
    for (int i = 0; i < 200; i++) {
      Duration left = Duration.between(schedule.renewAt(NOW, NOW, end), end);

      assertThat(left).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
      assertThat(left).isGreaterThanOrEqualTo(Duration.ofSeconds(lifeSeconds).dividedBy(5));
    }
  }

  @ParameterizedTest(name = "{0} s")
  @ValueSource(longs = {1, 2, 5, 20, 40, 59})
  @DisplayName("short certificates keep the window around half life")
  void shortLives(long lifeSeconds) {
    Duration life = Duration.ofSeconds(lifeSeconds);
    for (int i = 0; i < 200; i++) {
      Duration wait = Duration.between(NOW, schedule.renewAt(NOW, NOW, NOW.plus(life)));

      assertThat(wait.toMillis())
          .isBetween((long) (life.toMillis() * 0.45) - 1, (long) (life.toMillis() * 0.55) + 1);
    }
  }

  @Test
  @DisplayName("renewals are ten seconds apart, closer only for very short certificates")
  void spacing() {
    assertThat(schedule.spacing(NOW, NOW.plusSeconds(3600))).isEqualTo(Duration.ofSeconds(10));
    assertThat(schedule.spacing(NOW, NOW.plusSeconds(8))).isEqualTo(Duration.ofSeconds(2));
    assertThat(schedule.spacing(NOW, NOW.plusSeconds(1))).isEqualTo(Duration.ofMillis(500));
    assertThat(schedule.spacing(NOW, NOW.minusSeconds(5))).isEqualTo(Duration.ofMillis(500));
  }
}
