// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SourceHealth;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.TrustDomain;
import io.heddle.testing.CapturedLog;
import io.heddle.testing.ManualTime;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class RenewalLoopTest {

  private static final SpiffeId WEB = SpiffeId.parse("spiffe://mesh.test/ns/shop/sa/web");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final ManualTime time = new ManualTime(NOON);
  private final List<Instant> attempts = new ArrayList<>();
  private final PublishedIdentity identity =
      new PublishedIdentity("test source", time.clock(), Runnable::run);

  /** The issuer's own clock, which may differ from ours. */
  private Clock issuerClock = time.clock();

  private Duration lifetime = Duration.ofHours(1);
  private boolean down;

  private final RenewalLoop loop =
      new RenewalLoop(
          "test source",
          identity,
          this::issue,
          RetryPace.NEARBY,
          time.clock(),
          time.scheduler(),
          new Random(11));

  @AfterEach
  void stop() {
    loop.close();
  }

  @Test
  @DisplayName("B002 a failed renewal keeps the valid certificate and recovers before it ends")
  void failedRenewalKeepsCertificate() {
    lifetime = Duration.ofSeconds(60);
    loop.startHere();
    IdentitySnapshot first = identity.current();
    down = true;
    time.elapse(Duration.ofSeconds(34));
    Instant downUntil = time.now().plusSeconds(20);

    while (time.now().isBefore(downUntil)) {
      time.elapse(Duration.ofSeconds(1));
      assertThat(identity.current()).isSameAs(first);
      assertThat(identity.health().state()).isEqualTo(SourceHealth.State.DEGRADED);
      assertThat(identity.health().expiresAt()).isEqualTo(first.svid().notAfter());
      assertThat(identity.health().lastError()).contains("authority is down");
    }
    down = false;
    time.elapse(Duration.ofSeconds(3));

    assertThat(identity.current().version()).isEqualTo(2);
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.READY);
    assertThat(identity.health().lastError()).isNull();
  }

  @Test
  @DisplayName("an authority that is down from half life to 95 percent costs nothing but retries")
  void longOutage() {
    lifetime = Duration.ofHours(10);
    loop.startHere();
    down = true;

    time.elapse(Duration.ofMinutes(570));
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.DEGRADED);
    assertThat(attempts.size()).isBetween(200, 1000);

    down = false;
    time.elapse(Duration.ofSeconds(61));
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.READY);
    assertThat(identity.current().version()).isEqualTo(2);
  }

  @Test
  @DisplayName("an authority that is down past the end leaves EXPIRED, and recovers by itself")
  void outagePastExpiry() {
    lifetime = Duration.ofMinutes(10);
    loop.startHere();
    down = true;

    time.elapse(Duration.ofMinutes(11));
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.EXPIRED);
    assertThat(identity.current().version()).isEqualTo(1);

    down = false;
    time.elapse(Duration.ofSeconds(61));
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.READY);
  }

  @Test
  @DisplayName("TLS-05 a failing refresh keeps the old certificate, success resets the back-off")
  void backoffIsReset() {
    lifetime = Duration.ofHours(10);
    loop.startHere();
    IdentitySnapshot first = identity.current();
    down = true;
    time.elapse(Duration.ofMinutes(400));
    assertThat(attempts.size()).isGreaterThan(20);
    assertThat(identity.current()).isSameAs(first);

    down = false;
    time.elapse(Duration.ofSeconds(61));
    assertThat(identity.current().version()).isEqualTo(2);

    attempts.clear();
    down = true;
    time.elapse(Duration.ofMinutes(331));
    // Had the back-off gone on from where it was, retries would now be up to a minute apart.
    assertThat(Duration.between(attempts.get(0), attempts.get(1)))
        .isLessThanOrEqualTo(Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("ID-087 a jump of two hours renews at the next tick, a jump back does not loop")
  void clockJumps() {
    lifetime = Duration.ofHours(4);
    loop.startHere();
    time.elapse(Duration.ofMinutes(10));
    assertThat(attempts).hasSize(1);

    time.jump(Duration.ofHours(2));
    time.elapse(RenewalLoop.LOOK_AGAIN);
    assertThat(attempts).hasSize(2);
    assertThat(identity.current().version()).isEqualTo(2);

    time.jump(Duration.ofHours(-2));
    time.elapse(Duration.ofMinutes(30));
    assertThat(attempts).hasSize(3);
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.READY);
  }

  @Test
  @DisplayName("a retry is not put off by a clock that jumps back")
  void retryAfterJumpBack() {
    loop.startHere();
    down = true;
    time.elapse(Duration.ofMinutes(35));
    down = false;

    time.jump(Duration.ofHours(-5));
    time.elapse(RenewalLoop.LOOK_AGAIN);

    assertThat(identity.current().version()).isEqualTo(2);
  }

  @Test
  @DisplayName("a certificate that has expired on arrival is not adopted, and hints at the clocks")
  void staleAnswer() {
    loop.startHere();
    IdentitySnapshot first = identity.current();
    issuerClock = Clock.offset(time.clock(), Duration.ofHours(-3));

    time.elapse(Duration.ofMinutes(40));

    assertThat(identity.current()).isSameAs(first);
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.DEGRADED);
    assertThat(identity.health().lastError()).contains("compare the clocks");
  }

  @Test
  @DisplayName("an issuer whose clock is far ahead does not make us loop")
  void issuerAhead() {
    issuerClock = Clock.offset(time.clock(), Duration.ofHours(3));
    loop.startHere();

    time.elapse(Duration.ofMinutes(30));

    assertThat(attempts).hasSizeLessThan(120);
    assertThat(identity.health().lastError()).contains("compare the clocks");
  }

  @Test
  @DisplayName("without any certificate the failures are told now and then, not each time")
  void neverSucceeds() {
    down = true;
    try (CapturedLog log = new CapturedLog()) {
      loop.startHere();
      time.elapse(Duration.ofMinutes(30));

      assertThat(attempts).hasSizeGreaterThan(40);
      assertThat(log.warnings("there is no certificate yet")).hasSize(1 + attempts.size() / 10);
    }
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.STARTING);
    assertThat(identity.health().lastError()).isEqualTo("the authority is down");
  }

  @Test
  @DisplayName("a failing renewal is told at the first failure and at each tenth of the life")
  void toldAtEachTenth() {
    lifetime = Duration.ofHours(10);
    loop.startHere();
    down = true;
    try (CapturedLog log = new CapturedLog()) {
      time.elapse(Duration.ofMinutes(599));

      assertThat(log.warnings("valid until 2026-03-01T22:00:00Z")).hasSizeBetween(5, 6);
    }
  }

  @Test
  @DisplayName("a scheduler that was shut down shows in the health, not only when it is too late")
  void deadScheduler() {
    ScheduledExecutorService dead = Executors.newSingleThreadScheduledExecutor();
    dead.shutdownNow();

    new RenewalLoop(
            "test source",
            identity,
            this::issue,
            RetryPace.NEARBY,
            time.clock(),
            dead,
            new Random(5))
        .startHere();

    assertThat(identity.current().version()).isEqualTo(1);
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.DEGRADED);
    assertThat(identity.health().lastError()).contains("its scheduler has been shut down");
  }

  @Test
  @DisplayName("after closing nothing is scheduled, even if a renewal was under way")
  void closedWhileRenewing() {
    loop.startHere();
    PublishedIdentity other = new PublishedIdentity("other", time.clock(), Runnable::run);
    RenewalLoop[] closing = new RenewalLoop[1];
    closing[0] =
        new RenewalLoop(
            "other",
            other,
            () -> {
              closing[0].close();
              other.close();
              return issue();
            },
            RetryPace.NEARBY,
            time.clock(),
            time.scheduler(),
            new Random(3));

    closing[0].startHere();

    assertThat(time.pendingTasks()).isEqualTo(1);
    assertThat(other.health().state()).isEqualTo(SourceHealth.State.CLOSED);
  }

  private RenewalLoop.Issued issue() throws IOException {
    attempts.add(time.now());
    if (down) {
      throw new IOException("the authority is down");
    }
    DevelopmentCa ca =
        DevelopmentCa.builder(TrustDomain.parse("mesh.test"))
            .environment(Map.of())
            .clock(issuerClock)
            .build();
    return new RenewalLoop.Issued(ca.issue(WEB, lifetime), TrustBundles.of(ca.bundle()));
  }
}
