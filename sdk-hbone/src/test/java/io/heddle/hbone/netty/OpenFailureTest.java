// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.netty.ClientFixture.GOOD;
import static io.heddle.hbone.netty.ClientFixture.target;
import static io.heddle.hbone.rig.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelException.Phase;
import io.heddle.hbone.TunnelException.Refused.Kind;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.Frame.ErrorCode;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.frames.FramePeer;
import io.heddle.hbone.frames.PeerTls;
import io.heddle.testing.TestPki;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Why a tunnel does not open, in the peer's ways to say so, over real TLS. */
class OpenFailureTest {

  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  @Test
  @DisplayName("B036 a tunnel opened after the GOAWAY was read gets a fresh connection")
  void openAfterGoAway() throws Exception {
    FramePeer peer = fixture.peer(GOOD);
    HboneClient client = fixture.client(s -> s);
    TunnelEnd first = TunnelEnd.open(client, target(peer));
    first.tunnel();
    FrameConnection leaving = peer.connections().get(0);
    leaving.sendGoAway(leaving.awaitStream(1), ErrorCode.NO_ERROR);
    leaving.roundTrip();

    TunnelEnd.open(client, target(peer)).tunnel();

    assertThat(peer.connections().get(1).openedStreams()).isEqualTo(1);
    assertThat(leaving.openedStreams()).isEqualTo(1);
    leaving.sendData(leaving.awaitStream(1), "all of it", false);
    first.finish();
    assertThat(first.received()).isEqualTo("all of it");
    assertThat(first.error()).isNull();
    leaving.awaitEnd();
  }

  @Test
  @DisplayName("B036 a tunnel that raced the GOAWAY, above its last stream, is retried unseen")
  void openRacesGoAway() throws Exception {
    FramePeer peer =
        fixture.peer(
            (connection, number) -> {
              if (number > 1) {
                connection.serve(1000);
                return;
              }
              connection.sendSettings(Map.of());
              connection.sendStatus(connection.awaitRequest().streamId(), 200);
              connection.awaitRequest();
              connection.sendGoAway(connection.awaitStream(1), ErrorCode.NO_ERROR);
            });
    HboneClient client = fixture.client(s -> s);
    TunnelEnd first = TunnelEnd.open(client, target(peer));
    first.tunnel();

    Tunnel racing = TunnelEnd.open(client, target(peer)).tunnel();

    assertThat(racing.isActive()).isTrue();
    assertThat(peer.accepted()).isEqualTo(2);
    assertThat(first.tunnel().isActive()).isTrue();
    assertThat(client.statistics().opensRetried()).isEqualTo(1);
  }

  static Stream<SilentPeer.Kind> silences() {
    return Stream.of(SilentPeer.Kind.values());
  }

  @ParameterizedTest(name = "B050 100 callers, one dial, phase named: {0}")
  @MethodSource("silences")
  void silenceIsBounded(SilentPeer.Kind kind) throws Exception {
    SilentPeer peer = fixture.closing(SilentPeer.start(kind, ClientFixture.PEER_TLS));
    HboneClient client =
        fixture.client(
            s ->
                s.tlsTimeout(Duration.ofMillis(kind == SilentPeer.Kind.NO_SETTINGS ? 10_000 : 400))
                    .settingsTimeout(Duration.ofMillis(400)));
    TunnelTarget target = target(peer.address(), null);
    List<TunnelEnd> callers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      callers.add(TunnelEnd.open(client, target));
    }

    for (TunnelEnd caller : callers) {
      assertThat(caller.failure())
          .isInstanceOfSatisfying(
              TunnelException.ConnectFailed.class,
              e -> assertThat(e.phase()).isEqualTo(kind.phase()))
          .hasMessageContaining(kind.phase().toString());
    }
    assertThat(peer.accepted()).isEqualTo(1);
    until("nothing is left", () -> client.statistics().targets() == 0);
    TunnelEnd.open(client, target).failure();
    assertThat(peer.accepted()).isEqualTo(2);
  }

  @Test
  @DisplayName("B050 a CONNECT that is not answered fails alone, and in time")
  void silentAnswer() throws Exception {
    FramePeer peer =
        fixture.peer(
            (connection, number) -> {
              connection.sendSettings(Map.of());
              connection.awaitRequest();
              connection.acceptTunnelsFrom(2);
            });
    HboneClient client = fixture.client(s -> s.responseTimeout(Duration.ofMillis(300)));

    Throwable failure = TunnelEnd.open(client, target(peer)).failure();

    assertThat(failure)
        .isInstanceOfSatisfying(
            TunnelException.ConnectFailed.class,
            e -> assertThat(e.phase()).isEqualTo(Phase.CONNECT_RESPONSE));
    TunnelEnd.open(client, target(peer)).tunnel();
    assertThat(peer.accepted()).isEqualTo(1);
  }

  @Test
  @DisplayName("a refused dial is shared: 1000 callers cause a few dials, not a thousand")
  void noStampede() throws Exception {
    InetSocketAddress nobody;
    try (FramePeer gone = FramePeer.plaintext(GOOD)) {
      nobody = gone.address();
    }
    HboneClient client = fixture.client(s -> s);
    List<TunnelEnd> callers = new ArrayList<>();
    fixture.onLoop(
        () -> {
          for (int i = 0; i < 1000; i++) {
            callers.add(TunnelEnd.open(client, target(nobody, null)));
          }
        });

    for (TunnelEnd caller : callers) {
      assertThat(caller.failure())
          .isInstanceOfSatisfying(
              TunnelException.ConnectFailed.class, e -> assertThat(e.phase()).isEqualTo(Phase.TCP));
    }
    assertThat(client.statistics().connectsFailed()).isLessThan(10);
  }

  /** What a peer answers, and what the caller learns. */
  record Answer(
      String name,
      Consumer<FrameConnection> give,
      Class<? extends TunnelException> type,
      boolean retried,
      Kind kind) {

    static Answer status(int status, Kind kind) {
      return new Answer(
          "status " + status,
          c -> c.sendRefusal(stream(c), status),
          TunnelException.Refused.class,
          false,
          kind);
    }

    static Answer failing(
        String name, Class<? extends TunnelException> type, Consumer<FrameConnection> give) {
      return new Answer(name, give, type, false, Kind.OTHER);
    }

    static Answer retried(String name, Consumer<FrameConnection> give) {
      return new Answer(name, give, TunnelException.NotProcessed.class, true, Kind.OTHER);
    }

    boolean isFinal() {
      return type != TunnelException.ConnectFailed.class;
    }

    @Override
    public String toString() {
      return name;
    }

    private static int stream(FrameConnection connection) {
      return connection.lastStream();
    }
  }

  static Stream<Answer> answers() {
    return Stream.of(
        Answer.status(401, Kind.DENIED),
        Answer.status(400, Kind.BAD_REQUEST),
        Answer.status(404, Kind.BAD_REQUEST),
        Answer.status(503, Kind.UNAVAILABLE),
        Answer.status(302, Kind.OTHER),
        Answer.failing(
            "1xx only",
            TunnelException.ConnectFailed.class,
            c -> c.sendStatus(Answer.stream(c), 103)),
        Answer.failing(
            "RST_STREAM CONNECT_ERROR",
            TunnelException.Reset.class,
            c -> c.sendReset(Answer.stream(c), ErrorCode.CONNECT_ERROR)),
        Answer.failing("TCP close", TunnelException.ConnectionLost.class, FrameConnection::close),
        Answer.retried(
            "RST_STREAM REFUSED_STREAM",
            c -> c.sendReset(Answer.stream(c), ErrorCode.REFUSED_STREAM)),
        Answer.retried("GOAWAY below", c -> c.sendGoAway(0, ErrorCode.NO_ERROR)));
  }

  @ParameterizedTest(name = "B053 {0}")
  @MethodSource("answers")
  void everyAnswerHasItsType(Answer answer) throws Exception {
    FramePeer peer =
        fixture.peer(
            (connection, number) -> {
              connection.sendSettings(Map.of());
              for (int n = 1; connection.awaitStreamOrEnd(n); n++) {
                answer.give().accept(connection);
              }
            });
    // Only an answer that never comes has to be waited for.
    Duration patience = Duration.ofMillis(answer.isFinal() ? 30_000 : 400);
    HboneClient client = fixture.client(s -> s.responseTimeout(patience));

    Throwable failure = TunnelEnd.open(client, target(peer)).failure();

    assertThat(failure).isInstanceOf(answer.type());
    assertThat(client.statistics().opensRetried()).isEqualTo(answer.retried() ? 3 : 0);
    if (failure instanceof TunnelException.Refused refused) {
      assertThat(refused.kind()).isEqualTo(answer.kind());
      assertThat(client.statistics().connections()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("B053 200 with END_STREAM: the tunnel opens, and the peer's half is over")
  void okAndEnd() throws Exception {
    FramePeer peer =
        fixture.peer(
            (connection, number) -> {
              connection.sendSettings(Map.of());
              int stream = connection.awaitRequest().streamId();
              connection.send(Frame.headers(stream, true, ":status", "200"));
              connection.await(Frame.Type.DATA, stream);
            });
    HboneClient client = fixture.client(s -> s);

    TunnelEnd end = TunnelEnd.open(client, target(peer));
    end.send("one way");

    until("the end is told", end::isEnded);
    peer.awaitPlayed();
  }

  @Test
  @DisplayName("ID-079 a server that rejects our certificate late is a rejection, not a connection")
  void lateRejection() throws Exception {
    TestPki stranger = TestPki.create("cluster.local");
    FramePeer peer =
        fixture.closing(
            FramePeer.refusing(
                PeerTls.of(
                    ClientFixture.PKI.svid(ClientFixture.REVIEWS), stranger.bundle().anchors())));
    HboneClient client = fixture.client(s -> s);

    Throwable failure = TunnelEnd.open(client, target(peer)).failure();

    assertThat(failure).isInstanceOf(TunnelException.PeerRejected.class);
    assertThat(client.statistics().connected()).isZero();
    assertThat(client.statistics().connectsFailed()).isEqualTo(1);
  }

  @Test
  @DisplayName("a peer with another identity than expected is rejected before anything is sent")
  void wrongPeer() throws Exception {
    FramePeer peer =
        fixture.closing(FramePeer.refusing(PeerTls.of(ClientFixture.PKI, ClientFixture.BATCH)));
    HboneClient client = fixture.client(s -> s);

    Throwable failure = TunnelEnd.open(client, target(peer)).failure();

    assertThat(failure)
        .isInstanceOf(TunnelException.PeerRejected.class)
        .hasMessageContaining(ClientFixture.BATCH);
    assertThat(peer.connections()).isEmpty();
  }
}
