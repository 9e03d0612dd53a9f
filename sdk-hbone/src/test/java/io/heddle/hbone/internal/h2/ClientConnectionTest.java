// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.heddle.hbone.frames.Frame.Type.DATA;
import static io.heddle.hbone.frames.Frame.Type.RST_STREAM;
import static io.heddle.hbone.rig.TunnelRig.AUTHORITY;
import static io.heddle.hbone.rig.TunnelRig.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelException.Phase;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.Frame.ErrorCode;
import io.heddle.hbone.frames.Frame.Setting;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.frames.FramePeer;
import io.heddle.hbone.frames.PeerTls;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.Recorder;
import io.heddle.hbone.rig.TunnelRig;
import io.heddle.identity.SpiffeId;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClientConnectionTest {
  private final TunnelRig rig = TunnelRig.serving(Echo::new);

  @AfterEach
  void close() {
    rig.close();
  }

  private FramePeer peer(FramePeer.Behaviour behaviour) throws Exception {
    return FramePeer.overTls(PeerTls.of(rig.pki, SERVER.toString()), behaviour);
  }

  private Future<ClientConnection> connect(InetSocketAddress address, HboneSettings settings) {
    TunnelTarget target =
        new TunnelTarget(address, List.of(SERVER), null, AUTHORITY, TunnelHeaders.NONE);
    return rig.dial(settings, target);
  }

  private ClientConnection connect(FramePeer peer) {
    return Await.get(connect(peer.address(), HboneSettings.defaults()));
  }

  private static FramePeer.Behaviour settings(FramePeer.Behaviour then) {
    return (connection, number) -> {
      connection.sendSettings(Map.of());
      then.play(connection, number);
    };
  }

  @Test
  @DisplayName("OUT-21 CONNECT carries what it was given, and x-forwarded-network only if inner")
  void connectOnTheWire() throws Exception {
    TunnelHeaders outer = new TunnelHeaders("service.name=a", "for=\"10.0.0.1:4\"", null, null);
    try (FramePeer peer =
        peer(
            settings(
                (connection, number) -> {
                  FrameConnection.Request first = connection.awaitRequest();
                  assertThat(first.fields())
                      .isEqualTo(
                          Map.of(
                              ":method",
                              "CONNECT",
                              ":authority",
                              "[2001:db8::7]:80",
                              "baggage",
                              "service.name=a",
                              "forwarded",
                              "for=\"10.0.0.1:4\""));
                  assertThat(connection.awaitRequest().fields())
                      .containsEntry("x-forwarded-network", "")
                      .doesNotContainKeys(":scheme", ":path");
                }))) {
      ClientConnection connection = connect(peer);
      for (TunnelHeaders headers : List.of(outer, outer.withForwardedNetwork(""))) {
        connection
            .eventLoop()
            .execute(
                () ->
                    connection.open(Authority.parse("[2001:db8::7]:80"), headers, new Recorder()));
      }
      peer.awaitPlayed();
    }
  }

  @Test
  @DisplayName("GOAWAY: running tunnels finish, unprocessed opens may be retried, then it closes")
  void goAway() throws Exception {
    try (FramePeer peer =
        peer(
            settings(
                (connection, number) -> {
                  connection.awaitRequest();
                  connection.sendStatus(1, 200);
                  connection.awaitRequest();
                  connection.sendGoAway(1, ErrorCode.NO_ERROR);
                  connection.roundTrip();
                  connection.await(DATA, 1);
                  connection.sendData(1, "answer", true);
                  connection.awaitEnd();
                }))) {
      ClientConnection connection = connect(peer);
      Recorder recorder = new Recorder();
      Tunnel tunnel = TunnelRig.open(connection, recorder);
      Future<Tunnel> racing = TunnelRig.openAsync(connection, new Recorder());

      assertThat(Await.failure(racing)).isInstanceOf(TunnelException.NotProcessed.class);
      assertThat(TunnelRig.on(connection, connection::accepting)).isFalse();
      assertThat(TunnelRig.on(connection, connection::streamCredit)).isZero();
      tunnel.shutdownOutput();

      Await.get(connection.closed());
      Await.get(recorder.inactive);
      assertThat(recorder.text()).isEqualTo("answer");
      assertThat(recorder.events).containsExactly("active", "end", "inactive");
      peer.awaitPlayed();
    }
  }

  @Test
  @DisplayName("answers other than 200 fail the open by kind, and free the stream")
  void answers() throws Exception {
    try (FramePeer peer =
        peer(
            settings(
                (connection, number) -> {
                  for (int status : new int[] {401, 503}) {
                    connection.sendRefusal(connection.awaitRequest().streamId(), status);
                  }
                  connection.sendStatus(connection.awaitRequest().streamId(), 302);
                  connection.sendReset(
                      connection.awaitRequest().streamId(), ErrorCode.REFUSED_STREAM);
                  connection.sendReset(
                      connection.awaitRequest().streamId(), ErrorCode.CONNECT_ERROR);
                }))) {
      ClientConnection connection = connect(peer);
      assertThat(refused(connection).kind()).isEqualTo(TunnelException.Refused.Kind.DENIED);
      assertThat(refused(connection).kind()).isEqualTo(TunnelException.Refused.Kind.UNAVAILABLE);
      assertThat(refused(connection).status()).isEqualTo(302);
      assertThat(fail(connection)).isInstanceOf(TunnelException.NotProcessed.class);
      assertThat(fail(connection))
          .isInstanceOfSatisfying(
              TunnelException.Reset.class, e -> assertThat(e.code()).isEqualTo(0xa));
      assertThat(TunnelRig.on(connection, connection::activeStreams)).isZero();
      peer.awaitPlayed();
    }
  }

  private static Throwable fail(ClientConnection connection) {
    return Await.failure(TunnelRig.openAsync(connection, new Recorder()));
  }

  private static TunnelException.Refused refused(ClientConnection connection) {
    return (TunnelException.Refused) fail(connection);
  }

  @Test
  @DisplayName("an unanswered CONNECT fails in time and is reset")
  void unanswered() throws Exception {
    HboneSettings hasty =
        HboneSettings.defaults().toBuilder().responseTimeout(Duration.ofMillis(200)).build();
    try (FramePeer peer =
        peer(
            settings(
                (connection, number) -> {
                  int stream = connection.awaitRequest().streamId();
                  assertThat(connection.await(RST_STREAM, stream).payload())
                      .isEqualTo(Frame.reset(stream, ErrorCode.CANCEL).payload());
                }))) {
      ClientConnection connection = Await.get(connect(peer.address(), hasty));
      assertThat(fail(connection))
          .isInstanceOfSatisfying(
              TunnelException.ConnectFailed.class,
              e -> assertThat(e.phase()).isEqualTo(Phase.CONNECT_RESPONSE));
      peer.awaitPlayed();
    }
  }

  @Test
  @DisplayName("a cancelled open is reset, and its tunnel never becomes active")
  void cancelledOpen() throws Exception {
    Recorder recorder = new Recorder();
    try (FramePeer peer =
        peer(
            settings(
                (connection, number) -> {
                  int stream = connection.awaitRequest().streamId();
                  connection.await(RST_STREAM, stream);
                  connection.sendStatus(stream, 200);
                  connection.roundTrip();
                }))) {
      ClientConnection connection = connect(peer);
      TunnelRig.openAsync(connection, recorder).cancel(true);
      peer.awaitPlayed();
      assertThat(recorder.active).isNotDone();
    }
  }

  @Test
  @DisplayName("the credit follows the smaller of both limits, and its changes are told")
  void credit() throws Exception {
    try (FramePeer peer =
        peer(
            (connection, number) -> {
              connection.sendSettings(Map.of(Setting.MAX_CONCURRENT_STREAMS, 2));
              connection.acceptTunnels();
              connection.awaitStream(2);
              connection.changeMaxStreams(3);
            })) {
      ClientConnection connection = connect(peer);
      assertThat(TunnelRig.on(connection, connection::streamCredit)).isEqualTo(2);
      TunnelRig.open(connection, new Recorder());
      Tunnel second = TunnelRig.open(connection, new Recorder());
      Await.until("3", () -> TunnelRig.on(connection, connection::streamCredit) == 1);
      TunnelRig.on(
          connection,
          () -> {
            connection.listener(() -> {});
            return null;
          });
      Await.get(second.close());
      assertThat(TunnelRig.on(connection, connection::streamCredit)).isEqualTo(2);
      assertThat(TunnelRig.on(connection, connection::activeStreams)).isOne();
    }
  }

  @Test
  @DisplayName("a connection fails in the phase it reached")
  void phases() throws Exception {
    HboneSettings hasty =
        HboneSettings.defaults().toBuilder()
            .tlsTimeout(Duration.ofMillis(300))
            .settingsTimeout(Duration.ofMillis(300))
            .build();
    InetSocketAddress nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = (InetSocketAddress) socket.getLocalSocketAddress();
      assertThat(phase(connect(nobody, hasty))).isEqualTo(Phase.TLS);
    }
    assertThat(phase(connect(nobody, hasty))).isEqualTo(Phase.TCP);
    try (FramePeer silent = peer((connection, number) -> {})) {
      assertThat(phase(connect(silent.address(), hasty))).isEqualTo(Phase.SETTINGS);
    }
  }

  private static Phase phase(Future<ClientConnection> connecting) {
    return ((TunnelException.ConnectFailed) Await.failure(connecting)).phase();
  }

  @Test
  @DisplayName(
      "a server that is somebody else is rejected, and so is every one if none is expected")
  void wrongPeer() {
    for (List<SpiffeId> expected : List.of(List.of(TunnelRig.CLIENT), List.<SpiffeId>of())) {
      TunnelTarget target =
          new TunnelTarget(rig.address, expected, null, AUTHORITY, TunnelHeaders.NONE);
      assertThat(Await.failure(rig.dial(HboneSettings.defaults(), target)))
          .isInstanceOf(TunnelException.PeerRejected.class);
    }
  }

  @Test
  @DisplayName("opens on a connection that dies unused fail, those surely unsent as retryable")
  void deadConnection() {
    ClientConnection connection = rig.connect();
    Recorder recorder = new Recorder();
    Tunnel tunnel = TunnelRig.open(connection, recorder);
    TunnelRig.on(
        connection,
        () -> {
          connection.closeNow();
          return null;
        });
    Await.get(connection.closed());
    assertThat(Await.get(recorder.error)).isInstanceOf(TunnelException.ConnectionLost.class);
    Await.get(tunnel.closeFuture());
    assertThat(fail(connection)).isInstanceOf(TunnelException.NotProcessed.class);
  }
}
