// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.frames.Frame.Type.GOAWAY;
import static io.heddle.hbone.frames.Frame.Type.RST_STREAM;
import static io.heddle.hbone.netty.ClientFixture.GOOD;
import static io.heddle.hbone.netty.ClientFixture.PKI;
import static io.heddle.hbone.netty.ClientFixture.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.ExpiredTunnels;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.frames.FramePeer;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.CapturedLog;
import io.heddle.hbone.rig.Recorder;
import io.heddle.hbone.rig.TunnelRig;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.X509Svid;
import io.heddle.testing.SettableSource;
import io.netty.channel.ChannelHandlerContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Connections whose certificates end. TLS takes them as they are, good for an hour or more; the
 * clock that watches them says that a few seconds are left when a connection starts.
 */
class ConnectionExpiryTest {
  private static final Duration LEFT = Duration.ofSeconds(3);

  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private static final X509Svid SVID = PKI.svid(ClientFixture.WEB, Duration.ofMinutes(50));

  private static SettableSource source() {
    return SettableSource.of(PKI.snapshot(SVID, PKI.bundles()));
  }

  /** Runs as clocks do, from the first time that somebody looks at it. */
  private static final class LateClock extends Clock {
    private final Supplier<Instant> end;
    private @Nullable Duration ahead;

    LateClock(Supplier<Instant> end) {
      this.end = end;
    }

    @Override
    public synchronized Instant instant() {
      Instant now = Instant.now();
      if (ahead == null) {
        ahead = Duration.between(now, end.get().minus(LEFT));
      }
      return now.plus(ahead);
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

  private static final class Told extends Recorder {
    final CompletableFuture<IdentityExpiredEvent> expired = new CompletableFuture<>();

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof IdentityExpiredEvent expiry) {
        expired.complete(expiry);
      }
      super.userEventTriggered(ctx, event);
    }
  }

  @Test
  @DisplayName("when our certificate ends the open tunnel is told, and goes on out of rotation")
  void tell() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client =
        fixture.client(fixture.builder(source()).clock(new LateClock(SVID::notAfter)), s -> s);
    Told told = new Told();
    try (CapturedLog log = new CapturedLog()) {
      Tunnel tunnel = Await.get(client.open(target(peer), told));

      assertThat(Await.get(told.expired))
          .isEqualTo(
              new IdentityExpiredEvent(
                  SpiffeId.parse(ClientFixture.REVIEWS), true, SVID.notAfter()));
      assertThat(tunnel.isActive()).isTrue();
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("our certificate", "1 open tunnels go on");
    }
    FrameConnection old = peer.connections().get(0);
    old.sendData(old.awaitStream(1), "still here", false);
    Await.until("the tunnel goes on", () -> told.text().equals("still here"));
    assertThat(client.statistics().connections()).isZero();
    assertThat(client.statistics().leavingConnections()).isOne();
  }

  @Test
  @DisplayName("tunnels may be cut when the certificate ends: typed here, a reset over there")
  void cut() throws Exception {
    FramePeer peer =
        fixture.peer(
            (connection, number) -> {
              connection.sendSettings(Map.of());
              int stream = connection.awaitRequest().streamId();
              connection.sendStatus(stream, 200);
              connection.await(RST_STREAM, stream);
              connection.awaitEnd();
            });
    HboneClient client =
        fixture.client(
            fixture.builder(source()).clock(new LateClock(SVID::notAfter)),
            s -> s.expiredTunnels(ExpiredTunnels.CUT));
    Recorder recorder = new Recorder();
    Await.get(client.open(target(peer), recorder));

    assertThat(Await.get(recorder.error))
        .isInstanceOf(TunnelException.IdentityExpired.class)
        .hasMessageContaining("our certificate ended");
    peer.awaitPlayed();
    Await.until("nothing is left", () -> client.statistics().targets() == 0);
  }

  @Test
  @DisplayName("the server tells its end, and sends GOAWAY, when the client's certificate ends")
  void serverTells() throws Exception {
    Told server = new Told();
    AtomicReference<Instant> end = new AtomicReference<>();
    try (TunnelRig rig =
        TunnelRig.start(
            HboneSettings.defaults(),
            new LateClock(end::get),
            request -> request.accept(null, server))) {
      end.set(rig.clientCertificateEnd());
      HboneSettings parity =
          HboneSettings.defaults().toBuilder().expiredTunnels(ExpiredTunnels.IGNORE).build();
      ClientConnection connection = rig.connect(parity);
      Told client = new Told();
      Tunnel tunnel = TunnelRig.open(connection, client);

      IdentityExpiredEvent event = Await.get(server.expired);

      assertThat(event.peer()).isEqualTo(TunnelRig.CLIENT);
      assertThat(event.ours()).isFalse();
      Await.until("GOAWAY", () -> !TunnelRig.on(connection, connection::accepting));
      assertThat(client.expired).as("with IGNORE").isNotDone();
      Await.get(tunnel.shutdownOutput());
      Await.get(server.ended);
    }
  }

  @Test
  @DisplayName("a server sends GOAWAY at the greatest age, and the tunnel ends in its own time")
  void serverMaxAge() throws Exception {
    HboneSettings settings =
        HboneSettings.defaults().toBuilder().maxConnectionAge(Duration.ofMillis(100)).build();
    Recorder server = new Recorder();
    try (TunnelRig rig = TunnelRig.serving(settings, () -> server);
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, false, ":method", "CONNECT", ":authority", "10.0.0.5:80"));
      client.await(GOAWAY);
      client.await(GOAWAY);
      client.sendData(1, "late", true);
      Await.get(server.ended);
      assertThat(server.text()).isEqualTo("late");
    }
  }

  @Test
  @DisplayName("a client leaves a connection at the greatest age, and opens on a fresh one")
  void clientMaxAge() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s.maxConnectionAge(Duration.ofMillis(300)));
    TunnelEnd first = TunnelEnd.open(client, target(peer));
    first.tunnel();

    Await.until("it leaves", () -> client.statistics().leavingConnections() == 1);

    TunnelEnd.open(client, target(peer)).tunnel();
    assertThat(peer.connections().get(0).openedStreams()).isOne();
    assertThat(first.tunnel().isActive()).isTrue();
  }
}
