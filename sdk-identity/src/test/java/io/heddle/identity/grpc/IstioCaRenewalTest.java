// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import static io.heddle.identity.grpc.IstioCaFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SourceHealth;
import io.heddle.identity.SpiffeId;
import io.heddle.testing.Eventually;
import io.heddle.testing.PemTexts;
import io.heddle.testing.ProjectedVolume;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestIstioCa;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the identity while time passes and the authority comes and goes. */
final class IstioCaRenewalTest {

  private static final Status DOWN = Status.UNAVAILABLE.withDescription("down");

  private final IstioCaFixture fixture = new IstioCaFixture();
  private final TestIstioCa ca = fixture.ca;

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  @DisplayName("CP-24 many who wait for one identity cause one request")
  void oneRequest() throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(8);
    try (IstioCaSource source = fixture.source().build()) {
      List<CompletableFuture<IdentitySnapshot>> waiting =
          IntStream.range(0, 8)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> source.awaitReady(Duration.ofSeconds(30)), callers))
              .toList();
      fixture.settle();

      for (CompletableFuture<IdentitySnapshot> one : waiting) {
        assertThat(one.get()).isSameAs(source.current());
      }
      assertThat(ca.asked()).hasSize(1);
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  @DisplayName("CP-25 who waits for an identity that is given up learns so at once")
  void givenUpWhilePending() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    ca.signer(
        (request, lifetime) -> {
          arrived.countDown();
          awaitQuietly(answer);
          return ca.sign(request, lifetime);
        });
    // In its own thread, as outside of tests.
    IstioCaSource source = IstioCaSource.builder(fixture.controlPlane().build(), WEB).build();
    CompletableFuture<IdentitySnapshot> waiting =
        CompletableFuture.supplyAsync(() -> source.awaitReady(Duration.ofSeconds(60)));
    arrived.await();

    source.close();

    assertThatThrownBy(waiting::join)
        .hasCauseInstanceOf(IdentityException.Unavailable.class)
        .hasMessageContaining("closed");
    answer.countDown();
  }

  @Test
  @DisplayName("CP-26 at half of its life a certificate is replaced, without a gap")
  void renewedAtHalfLife() {
    try (IstioCaSource source = started(Duration.ofHours(1))) {
      IdentitySnapshot first = source.current();
      fixture.time.elapse(Duration.ofMinutes(26));
      assertThat(source.current()).isSameAs(first);

      for (int i = 0; i < 8; i++) {
        fixture.time.elapse(Duration.ofMinutes(1));
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
      }
      assertThat(source.current().version()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("CP-27 a failing renewal leaves the certificate in use, and says so")
  void retention() {
    try (IstioCaSource source = started(Duration.ofHours(1))) {
      IdentitySnapshot first = source.current();
      ca.fails(DOWN);

      fixture.time.elapse(Duration.ofMinutes(59));

      assertThat(source.current()).isSameAs(first);
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.DEGRADED);
      assertThat(source.health().expiresAt()).isEqualTo(first.svid().notAfter());
      assertThat(source.health().lastError()).contains("UNAVAILABLE", "down");
    }
  }

  @Test
  @DisplayName("CP-28 after a success the next failure waits for about a second again")
  void backoffResets() {
    ca.fails(DOWN);
    try (IstioCaSource source = started(Duration.ofHours(1))) {
      fixture.time.elapse(Duration.ofMinutes(5));
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.STARTING);
      ca.works();
      fixture.time.elapse(Duration.ofSeconds(180));
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
      ca.fails(DOWN);
      int before = ca.asked().size();

      elapseUntilAskedTimes(before + 1);
      Instant failed = fixture.time.now();
      elapseUntilAskedTimes(before + 2);

      assertThat(Duration.between(failed, fixture.time.now()))
          .isBetween(Duration.ofMillis(700), Duration.ofMillis(1300));
    }
  }

  @Test
  @DisplayName("B002 twenty seconds of outage at half of a minute's life go unnoticed")
  void shortOutage() {
    try (IstioCaSource source = started(Duration.ofSeconds(60))) {
      ca.fails(DOWN);
      elapseUntilAskedTimes(2);

      for (int second = 0; second < 20; second++) {
        fixture.time.elapse(Duration.ofSeconds(1));
        assertThat(source.health().state()).isEqualTo(SourceHealth.State.DEGRADED);
        assertThat(source.current().version()).isEqualTo(1);
      }
      ca.works();
      fixture.time.elapse(Duration.ofSeconds(3));

      assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
      assertThat(source.current().version()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("ID-058 an authority that is away until 95 percent of the life costs nothing")
  void awayPastRenewal() {
    try (IstioCaSource source = started(Duration.ofHours(24))) {
      ca.fails(DOWN);
      fixture.time.elapse(Duration.ofMinutes(1368));
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.DEGRADED);
      // Half a day at the slowest pace, and a few faster attempts.
      assertThat(ca.asked().size()).isBetween(200, 400);

      ca.works();
      fixture.time.elapse(Duration.ofSeconds(181));
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
    }
  }

  @Test
  @DisplayName(
      "ID-059 an authority that is away past the end leaves EXPIRED, and recovers by itself")
  void awayPastExpiry() {
    try (IstioCaSource source = started(Duration.ofMinutes(10))) {
      ca.fails(DOWN);
      fixture.time.elapse(Duration.ofMinutes(11));
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.EXPIRED);

      ca.works();
      fixture.time.elapse(Duration.ofSeconds(181));
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.READY);
    }
  }

  @Test
  @DisplayName("ID-052 an answer for somebody else leaves the certificate in use")
  void unusableAnswerKeepsCertificate() {
    try (IstioCaSource source = started(Duration.ofHours(1))) {
      IdentitySnapshot first = source.current();
      ca.signer((request, lifetime) -> List.of());
      fixture.time.elapse(Duration.ofMinutes(40));

      assertThat(source.current()).isSameAs(first);
      assertThat(source.health().state()).isEqualTo(SourceHealth.State.DEGRADED);
    }
  }

  @Test
  @DisplayName("B010 an identity that is always refused does not slow down another")
  void backoffIsPerIdentity() {
    SpiffeId refused = SpiffeId.parse("spiffe://mesh.test/ns/shop/sa/refused");
    ca.signer(
        (request, lifetime) -> {
          if (request.id().equals(refused)) {
            throw Status.PERMISSION_DENIED.asRuntimeException();
          }
          return ca.sign(request, lifetime);
        });
    ControlPlane authority = fixture.controlPlane().build();
    try (IstioCaSource bad = fixture.source(authority, refused).build()) {
      fixture.time.elapse(Duration.ofMinutes(2));
      assertThat(ca.asked().size()).isGreaterThan(5);

      try (IstioCaSource good = fixture.source(authority, WEB).build()) {
        fixture.settle();
        assertThat(good.health().state()).isEqualTo(SourceHealth.State.READY);
      }
      assertThat(bad.health().state()).isEqualTo(SourceHealth.State.STARTING);
    }
  }

  @Test
  @DisplayName("ID-060 a changed root file brings a renewal within a minute")
  void changedRoots(@TempDir Path directory) throws Exception {
    ProjectedVolume volume = new ProjectedVolume(directory.resolve("istio"));
    String root = PemTexts.certificate(fixture.web.certificate());
    volume.publish(Map.of("root-cert.pem", root));
    ControlPlane authority =
        fixture
            .controlPlane()
            .roots(ServerRoots.file(directory.resolve("istio/root-cert.pem")))
            .build();
    try (IstioCaSource source = fixture.source(authority, WEB).build()) {
      fixture.settle();
      assertThat(source.current().version()).isEqualTo(1);
      fixture.time.elapse(Duration.ofSeconds(61));
      assertThat(ca.asked()).hasSize(1);

      TestAuthority coming = TestAuthority.root("coming", Clock.systemUTC());
      volume.publish(Map.of("root-cert.pem", root + PemTexts.certificate(coming.certificate())));

      // The watch is in real time, the renewal in the test's; half of the life stays far away.
      Eventually.holds(
          "the renewal that the change brought",
          () -> {
            fixture.time.elapse(Duration.ofSeconds(1));
            return source.current().version() == 2;
          });
    }
  }

  private void elapseUntilAskedTimes(int times) {
    for (int i = 0; i < 100_000 && ca.asked().size() < times; i++) {
      fixture.time.elapse(Duration.ofMillis(100));
    }
    assertThat(ca.asked()).hasSize(times);
  }

  private IstioCaSource started(Duration lifetime) {
    IstioCaSource source = fixture.source().lifetime(lifetime).build();
    fixture.settle();
    return source;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
