// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.netty.ClientFixture.GOOD;
import static io.heddle.hbone.netty.ClientFixture.target;
import static io.heddle.hbone.rig.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.frames.Frame.ErrorCode;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.frames.FramePeer;
import io.heddle.identity.SpiffeId;
import io.heddle.testing.SettableSource;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which tunnels share a connection, and for how long it lives, over real TLS. */
class ConnectionSharingTest {

  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  @Test
  @DisplayName(
      "POOL-01 two and two tunnels of one key share one connection, which ends with the pool")
  void oneConnectionForOneKey() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s.maxStreamsPerConnection(3));
    for (int round = 0; round < 2; round++) {
      List<TunnelEnd> pair = open(client, target(peer), 2);
      for (TunnelEnd end : pair) {
        end.finish();
      }
    }

    assertThat(peer.accepted()).isEqualTo(1);
    client.close(Duration.ofSeconds(5)).get(30, TimeUnit.SECONDS);
    peer.connections().get(0).awaitEnd();
  }

  @Test
  @DisplayName(
      "POOL-02 bytes that had arrived stay readable after the pool is dropped, then an error")
  void bufferedBytesSurvive() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    FramePeer peer =
        fixture.peer(
            (connection, number) -> {
              connection.acceptTunnels();
              connection.sendSettings(Map.of());
              connection.sendData(connection.awaitStream(1), "still here", false);
              sent.countDown();
            });
    HboneClient client = fixture.client(s -> s);
    TunnelEnd end = TunnelEnd.openUnread(client, target(peer));
    Tunnel tunnel = end.tunnel();
    assertThat(sent.await(30, TimeUnit.SECONDS)).isTrue();
    // A PING that is answered after the DATA: the bytes are then in the tunnel.
    peer.connections().get(0).roundTrip();

    client.close(Duration.ZERO).get(30, TimeUnit.SECONDS);
    assertThat(end.received()).isEmpty();
    tunnel.read();
    until("the bytes", () -> end.received().equals("still here"));
    assertThat(end.error()).isNull();
    tunnel.read();

    until("the error after the bytes", () -> end.error() != null);
    assertThat(end.error()).isInstanceOf(TunnelException.ConnectionLost.class);
  }

  @Test
  @DisplayName("POOL-03 another source address is another connection")
  void sourceAddressSeparates() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s);

    TunnelEnd.open(client, target(peer, "127.0.0.2")).tunnel();
    TunnelEnd.open(client, target(peer, "127.0.0.3")).tunnel();
    TunnelEnd.open(client, target(peer, "127.0.0.2")).tunnel();

    assertThat(peer.connections())
        .extracting(c -> c.socket().getInetAddress().getHostAddress())
        .containsExactlyInAnyOrder("127.0.0.2", "127.0.0.3");
  }

  @Test
  @DisplayName(
      "POOL-04 max 2: 4 tunnels take 2 connections; 5 later ones take those again and 1 new")
  void fullConnectionsAreUsedAgain() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s.maxStreamsPerConnection(2));
    List<TunnelEnd> four = open(client, target(peer), 4);
    assertThat(peer.accepted()).isEqualTo(2);
    for (TunnelEnd end : four) {
      end.finish();
    }
    until("no tunnel is left", () -> client.statistics().tunnels() == 0);

    open(client, target(peer), 5);

    assertThat(peer.accepted()).isEqualTo(3);
  }

  @Test
  @DisplayName("POOL-05 after the server's GOAWAY the next tunnel gets a new connection, no error")
  void goAwayIsNoError() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s);
    TunnelEnd.open(client, target(peer)).finish();
    FrameConnection first = peer.connections().get(0);

    first.sendGoAway(first.awaitStream(1), ErrorCode.NO_ERROR);
    first.awaitEnd();
    TunnelEnd.open(client, target(peer)).tunnel();

    assertThat(peer.accepted()).isEqualTo(2);
    assertThat(client.statistics().connectsFailed()).isZero();
  }

  @Test
  @DisplayName("POOL-06 max 1: 2 tunnels take 2 connections; max 101: 100 tunnels take 1")
  void limitsDecideTheNumberOfConnections() throws Exception {
    FramePeer narrow = fixture.peer(GOOD);
    FramePeer wide = fixture.peer(GOOD);
    HboneClient one = fixture.client(s -> s.maxStreamsPerConnection(1));
    HboneClient many =
        fixture.client(
            fixture.builder(ClientFixture.PKI.source(ClientFixture.WEB)).spareStreamsPercent(0),
            s -> s.maxStreamsPerConnection(101));

    open(one, target(narrow), 2);
    open(many, target(wide), 100);

    assertThat(narrow.accepted()).isEqualTo(2);
    assertThat(wide.accepted()).isEqualTo(1);
  }

  @Test
  @DisplayName("POOL-07 100 sources take 100 connections; 300 tunnels of 3 sources take 3")
  void sourcesDecideTheNumberOfConnections() throws Exception {
    FramePeer apart = fixture.peer(GOOD);
    FramePeer shared = fixture.peer(GOOD);
    HboneClient client =
        fixture.client(
            fixture.builder(ClientFixture.PKI.source(ClientFixture.WEB)).spareStreamsPercent(0),
            s -> s);
    List<TunnelEnd> ends = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      ends.add(TunnelEnd.open(client, target(apart, "127.0.2." + i)));
    }
    for (int i = 0; i < 300; i++) {
      ends.add(TunnelEnd.open(client, target(shared, "127.0.3." + (i % 3 + 1))));
    }
    for (TunnelEnd end : ends) {
      end.tunnel();
    }

    assertThat(apart.accepted()).isEqualTo(100);
    assertThat(shared.accepted()).isEqualTo(3);
  }

  @Test
  @DisplayName("POOL-08 idle 100 ms: closed without a stream, kept while one lives")
  void idleConnectionsClose() throws Exception {
    FramePeer idle = fixture.peer(GOOD);
    FramePeer busy = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s.idleTimeout(Duration.ofMillis(100)));
    TunnelEnd live = TunnelEnd.open(client, target(busy));
    live.tunnel();

    TunnelEnd.open(client, target(idle)).finish();
    idle.connections().get(0).awaitEnd();

    FrameConnection kept = busy.connections().get(0);
    assertThat(kept.awaitEnd(Duration.ofMillis(500))).isFalse();
    assertThat(live.tunnel().isActive()).isTrue();
    live.finish();
    kept.awaitEnd();
  }

  @Test
  @DisplayName("the next connection is ready before the first is full")
  void opensAhead() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s);

    open(client, target(peer), 91);

    until("a second connection", () -> client.statistics().connections() == 2);
    assertThat(peer.connections().get(0).openedStreams()).isEqualTo(91);
  }

  @Test
  @DisplayName(
      "B055 one connection per source identity, source address, destination and expected identity")
  void keyIsNeitherWideNorNarrow() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient web = fixture.client(ClientFixture.PKI.source(ClientFixture.WEB), s -> s);
    HboneClient batch = fixture.client(ClientFixture.PKI.source(ClientFixture.BATCH), s -> s);
    TunnelTarget either =
        new TunnelTarget(
            peer.address(),
            List.of(SpiffeId.parse(ClientFixture.REVIEWS), SpiffeId.parse(ClientFixture.WEB)),
            null,
            target(peer).authority(),
            target(peer).headers());

    open(web, target(peer), 10);
    open(web, target(peer, "127.0.0.2"), 10);
    open(web, either, 10);
    open(batch, target(peer), 10);

    assertThat(peer.connections())
        .hasSize(4)
        .allSatisfy(c -> assertThat(c.openedStreams()).isEqualTo(10))
        .extracting(ConnectionSharingTest::clientId)
        .containsExactlyInAnyOrder(
            ClientFixture.WEB, ClientFixture.WEB, ClientFixture.WEB, ClientFixture.BATCH);
  }

  @Test
  @DisplayName("B055 rotation leaves live connections alone; new ones show the new certificate")
  void rotationIsForNewConnections() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    SettableSource source = ClientFixture.PKI.source(ClientFixture.WEB);
    HboneClient client = fixture.client(source, s -> s);
    TunnelEnd before = TunnelEnd.open(client, target(peer));
    before.tunnel();

    source.set(ClientFixture.PKI.snapshot(ClientFixture.WEB));
    TunnelEnd.open(client, target(peer)).tunnel();
    TunnelEnd.open(client, target(peer, "127.0.0.2")).tunnel();

    assertThat(before.tunnel().isActive()).isTrue();
    assertThat(peer.connections()).hasSize(2);
    assertThat(certificate(peer.connections().get(1)))
        .isEqualTo(source.current().svid().leaf())
        .isNotEqualTo(certificate(peer.connections().get(0)));
  }

  @Test
  @DisplayName("B058 the peer's limit goes from 1 to 3 to 0: never exceeded, full ones used again")
  void peerChangesItsLimit() throws Exception {
    FramePeer peer = fixture.peer((connection, number) -> connection.serve(number <= 10 ? 1 : 3));
    HboneClient client = fixture.client(s -> s);
    List<TunnelEnd> ten = open(client, target(peer), 10);
    assertThat(peer.connections())
        .hasSize(10)
        .allSatisfy(c -> assertThat(c.openedStreams()).isEqualTo(1));

    for (FrameConnection connection : peer.connections()) {
      connection.changeMaxStreams(3);
    }
    open(client, target(peer), 20);
    assertThat(peer.connections())
        .hasSize(10)
        .allSatisfy(c -> assertThat(c.openedStreams()).isEqualTo(3));

    for (FrameConnection connection : peer.connections()) {
      connection.changeMaxStreams(0);
    }
    for (TunnelEnd end : ten) {
      end.finish();
    }
    open(client, target(peer), 2);
    assertThat(peer.accepted()).isEqualTo(11);
    assertThat(peer.connections().get(10).openedStreams()).isEqualTo(2);
  }

  @Test
  @DisplayName("B058 a peer that allows no stream at all makes callers wait, not fail")
  void zeroMeansWait() throws Exception {
    FramePeer peer = fixture.peer((connection, number) -> connection.serve(0));
    HboneClient client = fixture.client(s -> s);
    TunnelEnd end = TunnelEnd.open(client, target(peer));
    until("a connection", () -> client.statistics().connections() == 1);
    assertThat(end.opening().isDone()).isFalse();

    peer.connections().get(0).changeMaxStreams(1);

    end.tunnel();
    assertThat(peer.accepted()).isEqualTo(1);
  }

  @Test
  @DisplayName("requests of a closed client fail as such")
  void closedIsClosed() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s);
    client.close(Duration.ZERO).get(30, TimeUnit.SECONDS);

    assertThat(TunnelEnd.open(client, target(peer)).failure())
        .isInstanceOf(TunnelException.Closed.class);
  }

  @Test
  @DisplayName(
      "closing waits for open tunnels within the grace period and cuts the others after it")
  void closingIsGraceful() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s);
    TunnelEnd quick = TunnelEnd.open(client, target(peer));
    TunnelEnd slow = TunnelEnd.open(client, target(peer));
    quick.tunnel();
    slow.tunnel();

    var closed = client.close(Duration.ofMillis(500));
    quick.finish();
    closed.get(30, TimeUnit.SECONDS);

    assertThat(quick.error()).isNull();
    until("the slow one is cut", () -> slow.error() != null);
    assertThat(slow.error()).isInstanceOf(TunnelException.ConnectionLost.class);
  }

  @Test
  @DisplayName("a client whose event loops were shut down first fails opens and still closes")
  void loopsGoneFirst() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s);
    TunnelEnd.open(client, target(peer)).tunnel();
    fixture.loops.shutdownGracefully(0, 30, TimeUnit.SECONDS).sync();

    Throwable failure = TunnelEnd.open(client, target(peer)).failure();

    assertThat(failure).isInstanceOf(TunnelException.Closed.class);
    client.close(Duration.ofSeconds(30)).get(30, TimeUnit.SECONDS);
  }

  private static List<TunnelEnd> open(HboneClient client, TunnelTarget target, int times)
      throws Exception {
    List<TunnelEnd> ends = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      ends.add(TunnelEnd.open(client, target));
    }
    for (TunnelEnd end : ends) {
      end.tunnel();
    }
    return ends;
  }

  private static X509Certificate certificate(FrameConnection connection) throws Exception {
    return (X509Certificate) connection.tls().getSession().getPeerCertificates()[0];
  }

  private static String clientId(FrameConnection connection) {
    try {
      return (String) certificate(connection).getSubjectAlternativeNames().iterator().next().get(1);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
