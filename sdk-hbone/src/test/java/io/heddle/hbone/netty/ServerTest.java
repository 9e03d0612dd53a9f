// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.frames.Frame.Type.GOAWAY;
import static io.heddle.hbone.frames.Frame.Type.HEADERS;
import static io.heddle.hbone.frames.Frame.Type.RST_STREAM;
import static io.heddle.hbone.rig.TunnelRig.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.Frame.ErrorCode;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.CapturedLog;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.Recorder;
import io.heddle.hbone.rig.TunnelRig;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.concurrent.Future;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerTest {
  private static final String[] CONNECT = {":method", "CONNECT", ":authority", "10.0.0.5:8080"};

  @Test
  @DisplayName("B032 scanners that reset at once leave nothing behind and hurt nobody")
  void scanners() throws Exception {
    try (CapturedLog log = new CapturedLog();
        TunnelRig rig = TunnelRig.serving(Echo::new)) {
      for (int i = 0; i < 5_000; i++) {
        Socket scanner = new Socket();
        scanner.setSoLinger(true, 0);
        scanner.connect(rig.address);
        scanner.close();
      }
      Recorder good = new Recorder();
      Tunnel tunnel = open(rig.connect(), good);
      tunnel.writeAndFlush(ByteBufUtil.writeUtf8(tunnel.alloc(), "hello"));
      Await.until("the echo", () -> good.count.get() == 5);
      Await.until("the scanners to be gone", () -> rig.server.connections() == 1);
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  @DisplayName("B047 orderly ends are not worth a line, a killed peer is worth one")
  void quietLog() throws Exception {
    HboneSettings settings =
        HboneSettings.defaults().toBuilder().pingInterval(Duration.ofMillis(50)).build();
    try (CapturedLog log = new CapturedLog();
        TunnelRig rig = TunnelRig.serving(settings, Echo::new)) {
      for (int c = 0; c < 20; c++) {
        ClientConnection connection = rig.connect(settings);
        List<Future<Tunnel>> tunnels = new ArrayList<>();
        for (int t = 0; t < 50; t++) {
          tunnels.add(TunnelRig.openAsync(connection, new Recorder()));
        }
        for (Future<Tunnel> opening : tunnels) {
          Tunnel tunnel = Await.get(opening);
          tunnel.shutdownOutput();
          Await.get(tunnel.closeFuture());
        }
        connection.eventLoop().execute(connection::closeWhenIdle);
        Await.get(connection.closed());
      }
      assertThat(log.lines()).isEmpty();

      for (int i = 0; i < 10; i++) {
        FrameConnection victim = rig.rawClient();
        victim.send(Frame.headers(1, false, CONNECT));
        victim.await(HEADERS, 1);
        victim.socket().setSoLinger(true, 0);
        victim.close();
      }
      Await.until("the victims to be gone", () -> rig.server.connections() == 0);
      assertThat(log.lines())
          .hasSize(10)
          .allSatisfy(
              line ->
                  assertThat(line)
                      .contains(
                          "WARN", TunnelRig.CLIENT.toString(), "1 open tunnel", "ended after"));
    }
  }

  @Test
  @DisplayName("a peer that answers no PING loses its connection")
  void silentPeer() throws Exception {
    HboneSettings settings =
        HboneSettings.defaults().toBuilder()
            .pingInterval(Duration.ofMillis(50))
            .pingTimeout(Duration.ofMillis(500))
            .build();
    Recorder recorder = new Recorder();
    try (CapturedLog log = new CapturedLog();
        TunnelRig rig = TunnelRig.serving(settings, () -> recorder);
        FrameConnection client = rig.rawClient()) {
      client.ignorePings();
      client.send(Frame.headers(1, false, CONNECT));
      client.await(GOAWAY);
      client.awaitEnd();
      assertThat(Await.get(recorder.error))
          .isInstanceOf(TunnelException.ConnectionLost.class)
          .hasMessageContaining("PING");
      Await.until("the line", () -> log.lines().size() == 1);
      assertThat(log.lines().get(0)).contains("no answer to PING");
    }
  }

  @Test
  @DisplayName("B048 a drain lets tunnels end, refuses new ones, and cuts the rest at its limit")
  void drain() throws Exception {
    List<Recorder> clients = new ArrayList<>();
    List<Tunnel> tunnels = new ArrayList<>();
    try (TunnelRig rig = TunnelRig.serving(Echo::new);
        FrameConnection raw = rig.rawClient()) {
      ClientConnection connection = rig.connect();
      for (int i = 0; i < 20; i++) {
        clients.add(new Recorder());
        tunnels.add(open(connection, clients.get(i)));
      }
      raw.send(Frame.headers(1, false, CONNECT));
      raw.await(HEADERS, 1);

      long start = System.nanoTime();
      Future<Void> drained = rig.server.drain(Duration.ofSeconds(3));

      assertThat(ByteBuffer.wrap(raw.await(GOAWAY).payload()).getInt())
          .isEqualTo(Integer.MAX_VALUE);
      assertThat(ByteBuffer.wrap(raw.await(GOAWAY).payload()).getInt()).isEqualTo(1);
      raw.send(Frame.headers(3, false, CONNECT));
      assertThat(raw.await(RST_STREAM, 3).payload())
          .isEqualTo(Frame.reset(3, ErrorCode.REFUSED_STREAM).payload());
      assertRefused(rig.address);
      Await.until("GOAWAY", () -> !TunnelRig.on(connection, connection::accepting));
      assertThat(Await.failure(TunnelRig.openAsync(connection, new Recorder())))
          .isInstanceOf(TunnelException.NotProcessed.class);

      for (int i = 0; i < 10; i++) {
        Tunnel tunnel = tunnels.get(i);
        tunnel.writeAndFlush(ByteBufUtil.writeUtf8(tunnel.alloc(), "last"));
        tunnel.shutdownOutput();
      }
      for (int i = 0; i < 10; i++) {
        Await.get(clients.get(i).inactive);
        assertThat(clients.get(i).text()).isEqualTo("last");
      }
      assertThat(drained.isDone()).isFalse();
      Await.get(drained);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(10));
      for (int i = 10; i < 20; i++) {
        assertThat(Await.get(clients.get(i).error)).isInstanceOf(TunnelException.Reset.class);
      }
      Await.get(connection.closed());
    }
  }

  private static void assertRefused(InetSocketAddress address) throws Exception {
    try (Socket late = new Socket()) {
      late.connect(address);
      throw new AssertionError("still listening");
    } catch (ConnectException expected) {
      assertThat(expected).hasMessageContaining("refused");
    }
  }

  @Test
  @DisplayName("an idle server drains at once, and again to the same end")
  void drainIdle() {
    try (TunnelRig rig = TunnelRig.serving(Echo::new)) {
      ClientConnection connection = rig.connect();
      Future<Void> drained = rig.server.drain(Duration.ofMinutes(5));
      Await.get(drained);
      Await.get(connection.closed());
      assertThat(rig.server.drain(Duration.ZERO)).isSameAs(drained);
    }
  }
}
