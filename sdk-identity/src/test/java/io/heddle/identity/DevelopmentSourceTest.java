// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testing.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class DevelopmentSourceTest {

  private static final TrustDomain MESH = TrustDomain.parse("mesh.test");
  private static final SpiffeId WEB = SpiffeId.parse("spiffe://mesh.test/ns/shop/sa/web");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final ManualTime time = new ManualTime(NOON);
  private final DevelopmentCa ca =
      DevelopmentCa.builder(MESH).environment(Map.of()).clock(time.clock()).build();

  @Test
  @DisplayName("the first identity is there at once, with the bundle of its authority")
  void readyAtOnce() {
    try (DevelopmentSource source = source(Duration.ofHours(1))) {
      IdentitySnapshot snapshot = source.current();

      assertThat(snapshot.version()).isEqualTo(1);
      assertThat(snapshot.svid().id()).isEqualTo(WEB);
      assertThat(snapshot.bundles().find(MESH)).contains(ca.bundle());
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
      assertThat(source.awaitReady(Duration.ZERO)).isSameAs(snapshot);
    }
  }

  @Test
  @DisplayName("renews between 45 and 55 percent of the life, with a fresh key")
  void renewsAroundHalfLife() {
    try (DevelopmentSource source = source(Duration.ofHours(1))) {
      IdentitySnapshot first = source.current();

      time.elapse(Duration.ofMinutes(27).minusSeconds(1));
      assertThat(source.current()).isSameAs(first);

      time.elapse(Duration.ofMinutes(6).plusSeconds(2));
      assertThat(source.current().version()).isEqualTo(2);
      assertThat(source.current().svid().leaf().getPublicKey())
          .isNotEqualTo(first.svid().leaf().getPublicKey());
    }
  }

  @Test
  @DisplayName("certificates of two seconds are renewed in time, about once a second")
  void veryShortCertificates() {
    List<Instant> renewals = new ArrayList<>();
    try (DevelopmentSource source = source(Duration.ofSeconds(2));
        SvidSource.Registration ignored =
            source.onUpdate(snapshot -> renewals.add(snapshot.receivedAt()))) {
      for (int i = 0; i < 600; i++) {
        time.elapse(Duration.ofMillis(100));
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
      }
    }
    assertThat(renewals).hasSizeBetween(50, 70);
  }

  @Test
  @DisplayName("ID-088 200 sources with one issue time renew spread over 8 percent of the life")
  void fleetSpreads() {
    List<Instant> renewals = new ArrayList<>();
    List<DevelopmentSource> fleet = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      DevelopmentSource source =
          DevelopmentSource.builder(ca, WEB)
              .lifetime(Duration.ofHours(10))
              .clock(time.clock())
              .scheduler(time.scheduler())
              .listenerExecutor(Runnable::run)
              .build();
      source.onUpdate(snapshot -> renewals.add(snapshot.receivedAt()));
      fleet.add(source);
    }

    time.elapse(Duration.ofHours(6));
    fleet.forEach(DevelopmentSource::close);

    assertThat(renewals).hasSize(200);
    Instant first = renewals.stream().min(Instant::compareTo).orElseThrow();
    Instant last = renewals.stream().max(Instant::compareTo).orElseThrow();
    assertThat(Duration.between(first, last)).isGreaterThan(Duration.ofMinutes(48));
  }

  @Test
  @DisplayName("closing stops the renewal, forgets the identity and leaves the scheduler alone")
  void close() {
    DevelopmentSource source = source(Duration.ofHours(1));

    source.close();
    source.close();

    assertThat(time.pendingTasks()).isZero();
    assertThat(time.scheduler().isShutdown()).isFalse();
    assertThat(source.health().state()).isEqualTo(SourceHealth.State.CLOSED);
    assertThatThrownBy(source::current)
        .isInstanceOf(IdentityException.Unavailable.class)
        .hasMessageContaining("closed");
  }

  @Test
  @DisplayName("an id that the authority cannot certify is refused when the source is made")
  void foreignId() {
    SpiffeId foreign = SpiffeId.parse("spiffe://other.test/ns/shop/sa/web");

    assertThatThrownBy(() -> DevelopmentSource.builder(ca, foreign))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mesh.test");
  }

  private DevelopmentSource source(Duration lifetime) {
    return DevelopmentSource.builder(ca, WEB)
        .lifetime(lifetime)
        .clock(time.clock())
        .scheduler(time.scheduler())
        .listenerExecutor(Runnable::run)
        .random(new Random(42))
        .build();
  }
}
