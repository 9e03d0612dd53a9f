// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.netty.ClientFixture.GOOD;
import static io.heddle.hbone.netty.ClientFixture.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelException.AllFailed;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.Frame.ErrorCode;
import io.heddle.hbone.frames.FramePeer;
import io.heddle.hbone.frames.PeerTls;
import io.heddle.hbone.rig.Await;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One tunnel to the first of several endpoints. */
class EndpointRaceTest {
  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration NEVER = Duration.ofHours(1);

  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private HboneClient client(Duration delay) {
    return fixture.client(s -> s.connectionAttemptDelay(delay));
  }

  private static int requests(FramePeer peer) {
    return peer.connections().stream().mapToInt(c -> c.openedStreams()).sum();
  }

  private static InetSocketAddress remote(TunnelEnd end) throws Exception {
    return (InetSocketAddress) end.tunnel().remoteAddress();
  }

  private static TunnelTarget nobody() throws Exception {
    try (FramePeer gone = FramePeer.plaintext(GOOD)) {
      return target(gone.address(), null);
    }
  }

  @Test
  @DisplayName("an endpoint that does not answer is overtaken by the next one after the delay")
  void silentEndpoint() throws Exception {
    SilentPeer silent =
        fixture.closing(SilentPeer.start(SilentPeer.Kind.SILENT_TCP, ClientFixture.PEER_TLS));
    FramePeer good = fixture.peer(GOOD);
    HboneClient client = client(SOON);

    TunnelEnd end = TunnelEnd.openFirst(client, target(silent.address(), null), target(good));

    assertThat(remote(end)).isEqualTo(good.address());
    Await.until("nobody waits", () -> client.statistics().waiting() == 0);
  }

  @Test
  @DisplayName("after a failure the next endpoint is tried at once, not after the delay")
  void failureStartsTheNext() throws Exception {
    FramePeer good = fixture.peer(GOOD);

    TunnelEnd end = TunnelEnd.openFirst(client(NEVER), nobody(), nobody(), target(good));

    assertThat(remote(end)).isEqualTo(good.address());
  }

  @Test
  @DisplayName("an endpoint that answers in time is the only one that is contacted")
  void firstIsFast() throws Exception {
    FramePeer first = fixture.peer(GOOD);
    FramePeer second = fixture.peer(GOOD);

    TunnelEnd end = TunnelEnd.openFirst(client(NEVER), target(first), target(second));

    assertThat(remote(end)).isEqualTo(first.address());
    assertThat(second.accepted()).isZero();
  }

  @Test
  @DisplayName("a connection that comes too late carries no CONNECT, and is used by the next open")
  void loserSeesNoConnect() throws Exception {
    CountDownLatch overtaken = new CountDownLatch(1);
    FramePeer slow =
        fixture.peer(
            (connection, number) -> {
              assertThat(overtaken.await(20, TimeUnit.SECONDS)).isTrue();
              connection.serve(1000);
            });
    FramePeer fast = fixture.peer(GOOD);
    HboneClient client = client(SOON);

    TunnelEnd end = TunnelEnd.openFirst(client, target(slow), target(fast));
    assertThat(remote(end)).isEqualTo(fast.address());
    overtaken.countDown();

    Await.until("the slow connection stands", () -> client.statistics().connections() == 2);
    assertThat(requests(slow)).isZero();
    TunnelEnd.open(client, target(slow)).tunnel();
    assertThat(slow.accepted()).isOne();
  }

  @Test
  @DisplayName("a refusal is the answer: no other endpoint is asked")
  void refusalIsFinal() throws Exception {
    FramePeer refusing =
        fixture.peer(
            (connection, number) -> {
              connection.sendSettings(Map.of());
              connection.sendRefusal(connection.awaitRequest().streamId(), 503);
            });
    FramePeer good = fixture.peer(GOOD);

    TunnelEnd end = TunnelEnd.openFirst(client(NEVER), target(refusing), target(good));

    assertThat(end.failure()).isInstanceOf(TunnelException.Refused.class);
    assertThat(good.accepted()).isZero();
  }

  @Test
  @DisplayName("while a CONNECT waits for its answer no other endpoint gets one")
  void oneConnectAtATime() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    FramePeer thinking =
        fixture.peer(
            (connection, number) -> {
              connection.sendSettings(Map.of());
              connection.sendStatus(connection.awaitRequest().streamId(), 200);
              int stream = connection.awaitRequest().streamId();
              asked.countDown();
              assertThat(answer.await(20, TimeUnit.SECONDS)).isTrue();
              connection.sendStatus(stream, 200);
            });
    FramePeer good = fixture.peer(GOOD);
    HboneClient client = client(Duration.ofMillis(200));
    TunnelEnd.open(client, target(thinking)).tunnel();
    TunnelEnd.open(client, target(good)).tunnel();

    // On a connection that stands already the CONNECT goes out before the delay is over.
    TunnelEnd end = TunnelEnd.openFirst(client, target(thinking), target(good));
    assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
    thinking
        .connections()
        .get(0)
        .expectNone("reset", f -> f.is(Frame.Type.RST_STREAM), Duration.ofMillis(400));
    assertThat(good.connections().get(0).openedStreams()).isOne();
    answer.countDown();

    assertThat(remote(end)).isEqualTo(thinking.address());
  }

  @Test
  @DisplayName("a CONNECT that was surely not processed lets the race go on")
  void unprocessed() throws Exception {
    FramePeer busy =
        fixture.peer(
            (connection, number) -> {
              connection.sendSettings(Map.of());
              for (int n = 1; connection.awaitStreamOrEnd(n); n++) {
                connection.sendReset(connection.lastStream(), ErrorCode.REFUSED_STREAM);
              }
            });
    FramePeer good = fixture.peer(GOOD);

    TunnelEnd end = TunnelEnd.openFirst(client(NEVER), target(busy), target(good));

    assertThat(remote(end)).isEqualTo(good.address());
  }

  @Test
  @DisplayName("when all fail, one error lists each endpoint and its cause")
  void allFail() throws Exception {
    FramePeer stranger =
        fixture.closing(FramePeer.refusing(PeerTls.of(ClientFixture.PKI, ClientFixture.BATCH)));
    TunnelTarget gone = nobody();

    TunnelEnd end = TunnelEnd.openFirst(client(NEVER), gone, target(stranger));

    assertThat(end.failure())
        .isInstanceOfSatisfying(
            AllFailed.class,
            all -> {
              assertThat(all.attempts())
                  .extracting(AllFailed.Attempt::address)
                  .containsExactly(gone.address(), stranger.address());
              assertThat(all.attempts().get(0).cause())
                  .isInstanceOf(TunnelException.ConnectFailed.class);
              assertThat(all.attempts().get(1).cause())
                  .isInstanceOf(TunnelException.PeerRejected.class);
              assertThat(all.retryable()).isTrue();
            })
        .hasMessageContaining(gone.address().toString())
        .hasMessageContaining(stranger.address().toString());
  }

  @Test
  @DisplayName("giving up ends every attempt")
  void cancel() throws Exception {
    SilentPeer one =
        fixture.closing(SilentPeer.start(SilentPeer.Kind.SILENT_TCP, ClientFixture.PEER_TLS));
    SilentPeer two =
        fixture.closing(SilentPeer.start(SilentPeer.Kind.SILENT_TCP, ClientFixture.PEER_TLS));
    HboneClient client = fixture.client(s -> s.connectionAttemptDelay(SOON));
    TunnelEnd end =
        TunnelEnd.openFirst(client, target(one.address(), null), target(two.address(), null));
    Await.until("both are tried", () -> client.statistics().waiting() == 2);

    end.opening().cancel(false);

    Await.until("nobody waits", () -> client.statistics().waiting() == 0);
    assertThat(end.opening().isCancelled()).isTrue();
  }

  @Test
  @DisplayName("one endpoint is an ordinary open, none is an error of the caller")
  void fewEndpoints() throws Exception {
    HboneClient client = client(NEVER);
    assertThat(TunnelEnd.openFirst(client, nobody()).failure())
        .isInstanceOf(TunnelException.ConnectFailed.class);
    assertThatThrownBy(() -> client.openFirst(List.of(), new TunnelEnd()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
