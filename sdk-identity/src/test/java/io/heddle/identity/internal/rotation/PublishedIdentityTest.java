// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SourceHealth;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.X509Svid;
import io.heddle.testing.CapturedLog;
import io.heddle.testing.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class PublishedIdentityTest {

  private static final TrustDomain MESH = TrustDomain.parse("mesh.test");
  private static final SpiffeId WEB = SpiffeId.parse("spiffe://mesh.test/ns/shop/sa/web");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final ManualTime time = new ManualTime(NOON);
  private final DevelopmentCa ca =
      DevelopmentCa.builder(MESH).environment(Map.of()).clock(time.clock()).build();
  private final TrustBundles bundles = TrustBundles.of(ca.bundle());
  private final PublishedIdentity identity =
      new PublishedIdentity("test source", time.clock(), Runnable::run);

  @Test
  @DisplayName("ID-046 a listener that throws hurts neither the other listeners nor the source")
  void throwingListener() {
    List<Long> seen = new ArrayList<>();
    identity.onUpdate(
        snapshot -> {
          throw new IllegalStateException("broken listener");
        });
    identity.onUpdate(
        snapshot -> {
          throw new AssertionError("broken in another way");
        });
    identity.onUpdate(snapshot -> seen.add(snapshot.version()));

    try (CapturedLog log = new CapturedLog()) {
      identity.offer(svid(), bundles);
      identity.offer(svid(), bundles);

      assertThat(log.warnings("test source: a listener failed on update")).hasSize(4);
    }
    assertThat(seen).containsExactly(1L, 2L);
    assertThat(identity.current().version()).isEqualTo(2);
  }

  @Test
  @DisplayName("B021 a slow listener sees the latest update only, and readers never wait for it")
  void slowListener() throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      PublishedIdentity shared = new PublishedIdentity("test source", time.clock(), pool);
      List<Long> seen = Collections.synchronizedList(new ArrayList<>());
      AtomicInteger running = new AtomicInteger();
      AtomicInteger mostRunning = new AtomicInteger();
      CountDownLatch entered = new CountDownLatch(1);
      Semaphore mayGoOn = new Semaphore(0);
      CountDownLatch sawLast = new CountDownLatch(1);
      shared.onUpdate(
          snapshot -> {
            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
            seen.add(snapshot.version());
            entered.countDown();
            mayGoOn.acquireUninterruptibly();
            running.decrementAndGet();
            if (snapshot.version() == 60) {
              sawLast.countDown();
            }
          });

      shared.offer(svid(), bundles);
      assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
      for (int rotation = 2; rotation <= 60; rotation++) {
        X509Svid next = svid();
        shared.offer(next, bundles);
        assertThat(shared.current().svid()).isSameAs(next);
      }
      mayGoOn.release(60);

      assertThat(sawLast.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(seen).containsExactly(1L, 60L);
      assertThat(mostRunning).hasValue(1);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  @DisplayName("ID-097 the states, with the end of the certificate and the last error")
  void states() {
    assertThat(identity.health())
        .isEqualTo(new SourceHealth(SourceHealth.State.STARTING, null, null));

    identity.failed(new IOException("no answer\nfrom the issuer"));
    assertThat(identity.health())
        .isEqualTo(new SourceHealth(SourceHealth.State.STARTING, null, "no answer"));

    identity.offer(svid(), bundles);
    Instant end = NOON.plusSeconds(600);
    assertThat(identity.health()).isEqualTo(new SourceHealth(SourceHealth.State.READY, end, null));
    assertThat(identity.health().secondsUntilExpiry(time.now())).hasValue(600);

    identity.failed(new IOException("down"));
    time.elapse(Duration.ofSeconds(599));
    assertThat(identity.health())
        .isEqualTo(new SourceHealth(SourceHealth.State.DEGRADED, end, "down"));
    assertThat(identity.health().secondsUntilExpiry(time.now())).hasValue(1);

    time.elapse(Duration.ofSeconds(1));
    assertThat(identity.health())
        .isEqualTo(new SourceHealth(SourceHealth.State.EXPIRED, end, "down"));
    assertThat(identity.health().secondsUntilExpiry(time.now())).hasValue(0);

    identity.offer(svid(), bundles);
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.READY);

    identity.close();
    assertThat(identity.health().state()).isEqualTo(SourceHealth.State.CLOSED);
    assertThat(identity.health().secondsUntilExpiry(time.now())).isEmpty();
  }

  @Test
  @DisplayName("unchanged material is no update; a changed bundle alone is one")
  void unchanged() {
    List<IdentitySnapshot> seen = new ArrayList<>();
    identity.onUpdate(seen::add);
    X509Svid svid = svid();

    assertThat(identity.offer(svid, bundles)).isEqualTo(PublishedIdentity.Outcome.ADOPTED);
    assertThat(identity.offer(svid, bundles)).isEqualTo(PublishedIdentity.Outcome.UNCHANGED);
    TrustBundles emptied = TrustBundles.of(TrustBundle.of(MESH, List.of()));
    assertThat(identity.offer(svid, emptied)).isEqualTo(PublishedIdentity.Outcome.ADOPTED);

    assertThat(seen).extracting(IdentitySnapshot::version).containsExactly(1L, 2L);
  }

  @Test
  @DisplayName("an expired certificate replaces an expired one, but never a valid one")
  void staleUpdates() {
    X509Svid early = svid();
    time.elapse(Duration.ofSeconds(300));
    X509Svid late = svid();
    identity.offer(late, bundles);

    time.elapse(Duration.ofSeconds(300));
    assertThat(identity.offer(early, bundles)).isEqualTo(PublishedIdentity.Outcome.STALE);
    assertThat(identity.current().svid()).isSameAs(late);

    time.elapse(Duration.ofSeconds(300));
    assertThat(identity.offer(early, bundles)).isEqualTo(PublishedIdentity.Outcome.ADOPTED);
  }

  @Test
  @DisplayName("a listener hears of later updates only, and of none once its place is closed")
  void registration() {
    identity.offer(svid(), bundles);
    List<Long> seen = new ArrayList<>();
    SvidSource.Registration place = identity.onUpdate(snapshot -> seen.add(snapshot.version()));
    identity.offer(svid(), bundles);

    place.close();
    place.close();
    identity.offer(svid(), bundles);

    assertThat(seen).containsExactly(2L);
  }

  @Test
  @DisplayName(
      "waiting ends with the first identity, with the reason at the time limit, or at close")
  void awaitReady() throws Exception {
    identity.failed(new IOException("token file is empty"));
    assertThatThrownBy(() -> identity.awaitReady(Duration.ofMillis(10)))
        .isInstanceOf(IdentityException.Unavailable.class)
        .hasMessageContaining("test source")
        .hasMessageContaining("PT0.01S")
        .hasMessageContaining("token file is empty");

    CountDownLatch waiting = new CountDownLatch(1);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      var first =
          pool.submit(
              () -> {
                waiting.countDown();
                return identity.awaitReady(Duration.ofSeconds(30));
              });
      assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
      identity.offer(svid(), bundles);
      assertThat(first.get(10, TimeUnit.SECONDS).version()).isEqualTo(1);
    } finally {
      pool.shutdownNow();
    }

    identity.close();
    assertThatThrownBy(() -> identity.awaitReady(Duration.ofSeconds(30)))
        .isInstanceOf(IdentityException.Unavailable.class)
        .hasMessage("test source is closed");
  }

  @Test
  @DisplayName("nothing is accepted and nobody is told after closing")
  void closed() {
    List<IdentitySnapshot> seen = new ArrayList<>();
    identity.onUpdate(seen::add);

    identity.close();

    assertThat(identity.offer(svid(), bundles)).isEqualTo(PublishedIdentity.Outcome.CLOSED);
    assertThat(seen).isEmpty();
    assertThatThrownBy(identity::current).isInstanceOf(IdentityException.Unavailable.class);
  }

  @Test
  @DisplayName("an executor that refuses listeners costs them an update, not the source")
  void refusingExecutor() {
    ExecutorService stopped = Executors.newSingleThreadExecutor();
    stopped.shutdownNow();
    PublishedIdentity refused = new PublishedIdentity("test source", time.clock(), stopped);
    refused.onUpdate(snapshot -> {});

    try (CapturedLog log = new CapturedLog()) {
      refused.offer(svid(), bundles);

      assertThat(log.warnings("refuses work")).hasSize(1);
    }
    assertThat(refused.current().version()).isEqualTo(1);
  }

  private X509Svid svid() {
    return ca.issue(WEB, Duration.ofMinutes(10));
  }
}
