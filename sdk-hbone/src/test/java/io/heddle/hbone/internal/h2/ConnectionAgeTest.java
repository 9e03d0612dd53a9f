// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.internal.h2.ConnectionAge.Terms;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.X509Svid;
import io.heddle.testing.TestPki;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConnectionAgeTest {
  private static final TestPki PKI = TestPki.create("cluster.local");
  private static final X509Svid HOUR = svid(1);
  private static final X509Svid DAY = svid(24);

  /** Of the shorter-lived certificate. */
  private static final Instant EXPIRY = HOUR.notAfter();

  private static final Instant NOW = EXPIRY.minus(Duration.ofMinutes(60));

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final SettableClock clock = new SettableClock();
  private final List<String> told = new ArrayList<>();

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private static X509Svid svid(int hours) {
    return PKI.svid("spiffe://cluster.local/ns/shop/sa/web", Duration.ofHours(hours));
  }

  private static PeerSvid peer(X509Svid svid) {
    return new PeerSvid(svid.id(), svid.chain(), svid.notAfter());
  }

  private static Instant minutes(long afterNow) {
    return NOW.plus(Duration.ofMinutes(afterNow));
  }

  @Test
  @DisplayName("a client leaves after half to three quarters of what its certificate has left")
  void clientLeavesEarly() {
    Terms least = Terms.ofClient(NOW, HOUR.leaf(), peer(DAY), Duration.ZERO, 0);
    Terms most = Terms.ofClient(NOW, HOUR.leaf(), peer(DAY), Duration.ZERO, 1);

    assertThat(least).isEqualTo(new Terms(minutes(30), EXPIRY, true));
    assertThat(most).isEqualTo(new Terms(minutes(45), EXPIRY, true));
  }

  @Test
  @DisplayName("the peer's certificate counts as much as our own, which may be unknown")
  void peerCertificate() {
    assertThat(Terms.ofClient(NOW, DAY.leaf(), peer(HOUR), Duration.ZERO, 0))
        .isEqualTo(new Terms(minutes(30), EXPIRY, false));
    assertThat(Terms.ofServer(NOW, null, peer(HOUR), Duration.ZERO, 0))
        .isEqualTo(new Terms(EXPIRY, EXPIRY, false));
  }

  @Test
  @DisplayName("the greatest age holds where certificates allow more, less a tenth by chance")
  void maxAge() {
    Duration age = Duration.ofMinutes(20);
    assertThat(Terms.ofClient(NOW, HOUR.leaf(), peer(DAY), age, 0).retirement())
        .isEqualTo(minutes(20));
    assertThat(Terms.ofServer(NOW, HOUR.leaf(), peer(DAY), age, 1).retirement())
        .isEqualTo(minutes(18));
    assertThat(Terms.ofServer(NOW, HOUR.leaf(), peer(DAY), Duration.ofDays(1), 0).retirement())
        .isEqualTo(EXPIRY);
  }

  private ConnectionAge started() {
    channel.freezeTime();
    ConnectionAge age =
        new ConnectionAge(
            new Terms(minutes(30), EXPIRY, true),
            clock,
            channel.eventLoop(),
            new ConnectionAge.Watched() {
              @Override
              public void retire() {
                told.add("retire");
              }

              @Override
              public void expired(Terms terms) {
                told.add("expired");
              }
            });
    age.start();
    return age;
  }

  private void advance(int minutes) {
    for (int i = 0; i < minutes; i++) {
      clock.now = clock.now.plus(Duration.ofMinutes(1));
      channel.advanceTimeBy(1, TimeUnit.MINUTES);
      channel.runScheduledPendingTasks();
    }
  }

  @Test
  @DisplayName("a connection retires, then its certificate ends, and that is all")
  void inOrder() {
    started();
    advance(29);
    assertThat(told).isEmpty();
    advance(1);
    assertThat(told).containsExactly("retire");
    advance(29);
    assertThat(told).containsExactly("retire");
    advance(1);
    assertThat(told).containsExactly("retire", "expired");
    advance(60);
    assertThat(told).hasSize(2);
  }

  @Test
  @DisplayName("a wall clock that is set back or forward is followed within minutes")
  void clockIsSet() {
    started();
    clock.now = minutes(-60);
    advance(60);
    assertThat(told).isEmpty();
    clock.now = minutes(59);
    advance(10);
    assertThat(told).containsExactly("retire", "expired");
  }

  @Test
  @DisplayName("a connection that has ended is watched no more")
  void stopped() {
    started().stop();
    advance(90);
    assertThat(told).isEmpty();
  }

  private static final class SettableClock extends Clock {
    private Instant now = NOW;

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }
}
