// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.rig.TunnelRig.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.Pattern;
import io.heddle.hbone.rig.Recorder;
import io.heddle.hbone.rig.TunnelRig;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HalfCloseTest {
  private static final int MIB = 1 << 20;

  @Test
  @DisplayName("bytes travel both ways, and the tunnel closes when both halves are over")
  void echo() {
    try (TunnelRig rig = TunnelRig.serving(Echo::new)) {
      ClientConnection connection = rig.connect();
      Recorder recorder = new Recorder();
      Tunnel tunnel = open(connection, recorder);

      tunnel.writeAndFlush(ByteBufUtil.writeUtf8(tunnel.alloc(), "hello"));
      Await.until("the echo", () -> recorder.count.get() == 5);
      tunnel.shutdownOutput();

      Await.get(recorder.inactive);
      assertThat(recorder.text()).isEqualTo("hello");
      assertThat(recorder.events).containsExactly("active", "end", "inactive");
      assertThat(tunnel.peer().id()).isEqualTo(TunnelRig.SERVER);
      assertThat(TunnelRig.on(connection, connection::activeStreams)).isZero();
    }
  }

  @Test
  @DisplayName("B030 a half-closed tunnel carries the answer, whichever side ended first")
  void halfClose() {
    for (boolean clientEndsFirst : new boolean[] {true, false}) {
      Pattern first = Pattern.sending(MIB, 32 << 10, new SplittableRandom(1));
      Pattern second = Pattern.answering(2 * MIB);
      Pattern server = clientEndsFirst ? second : first;
      Pattern client = clientEndsFirst ? first : second;
      try (TunnelRig rig = TunnelRig.serving(() -> server)) {
        ClientConnection connection = rig.connect();
        open(connection, client);

        Await.get(client.inactive);
        Await.get(server.inactive);

        assertThat(first.count).hasValue(2 * MIB);
        assertThat(second.count).hasValue(MIB);
        assertThat(first.firstWrong).isEqualTo(-1);
        assertThat(second.firstWrong).isEqualTo(-1);
        assertThat(first.error).isNotDone();
        assertThat(TunnelRig.on(connection, connection::activeStreams)).isZero();
      }
    }
  }

  @Test
  @DisplayName("the stream stays until both halves are over")
  void streamIsKept() throws Exception {
    Ends ends = new Ends();
    try (TunnelRig rig = TunnelRig.serving(ends::next)) {
      ClientConnection connection = rig.connect();
      Recorder client = new Recorder();
      Tunnel tunnel = open(connection, client);
      Recorder server = ends.take();
      Await.get(tunnel.shutdownOutput());

      Await.get(server.ended);
      assertThat(tunnel.isOutputShutdown()).isTrue();
      assertThat(tunnel.isActive()).isTrue();
      assertThat(TunnelRig.on(connection, connection::activeStreams)).isOne();
      Channel serverTunnel = Await.get(server.active);
      serverTunnel.writeAndFlush(ByteBufUtil.writeUtf8(serverTunnel.alloc(), "late"));
      Await.until("late bytes", () -> client.text().equals("late"));
      ((DuplexChannel) serverTunnel).shutdownOutput();
      Await.get(client.inactive);
      assertThat(TunnelRig.on(connection, connection::activeStreams)).isZero();
    }
  }

  @Test
  @DisplayName("a reset is an error at the other end, after the bytes before it, never an end")
  void reset() throws Exception {
    Ends ends = new Ends();
    try (TunnelRig rig = TunnelRig.serving(ends::next)) {
      Recorder client = new Recorder();
      Tunnel tunnel = open(rig.connect(), client);
      Tunnel serverTunnel = (Tunnel) Await.get(ends.take().active);

      serverTunnel.writeAndFlush(ByteBufUtil.writeUtf8(serverTunnel.alloc(), "part"));
      Await.until("part", () -> client.count.get() == 4);
      serverTunnel.reset();

      assertThat(Await.get(client.error))
          .isInstanceOfSatisfying(
              TunnelException.Reset.class, e -> assertThat(e.code()).isEqualTo(0xa));
      Await.get(tunnel.closeFuture());
      Await.get(client.inactive);
      assertThat(client.events).containsExactly("active", "error", "inactive");
    }
  }

  @Test
  @DisplayName("bytes that were not read before a reset stay readable, then comes the error")
  void unreadBeforeReset() throws Exception {
    Ends ends = new Ends();
    try (TunnelRig rig = TunnelRig.serving(ends::next)) {
      ClientConnection connection = rig.connect();
      Recorder client =
          new Recorder() {
            @Override
            public void handlerAdded(ChannelHandlerContext ctx) {
              ctx.channel().config().setAutoRead(false);
            }
          };
      Tunnel tunnel = open(connection, client);
      Tunnel serverTunnel = (Tunnel) Await.get(ends.take().active);
      Await.get(serverTunnel.writeAndFlush(ByteBufUtil.writeUtf8(serverTunnel.alloc(), "unread")));
      serverTunnel.reset();
      Await.until("the reset", () -> TunnelRig.on(connection, connection::activeStreams) == 0);
      assertThat(client.error).isNotDone();
      assertThat(tunnel.isActive()).isTrue();

      tunnel.config().setAutoRead(true);

      Await.get(client.inactive);
      assertThat(client.text()).isEqualTo("unread");
      assertThat(client.events).containsExactly("active", "error", "inactive");
    }
  }

  @Test
  @DisplayName("close after the last byte is an end for the peer, not an error")
  void closeIsAnEnd() throws Exception {
    Ends ends = new Ends();
    try (TunnelRig rig = TunnelRig.serving(ends::next)) {
      Recorder client = new Recorder();
      open(rig.connect(), client);
      Channel serverTunnel = Await.get(ends.take().active);

      serverTunnel
          .eventLoop()
          .execute(
              () -> {
                serverTunnel.writeAndFlush(ByteBufUtil.writeUtf8(serverTunnel.alloc(), "bye"));
                serverTunnel.close();
              });

      Await.get(client.inactive);
      assertThat(client.text()).isEqualTo("bye");
      assertThat(client.events).containsExactly("active", "end", "inactive");
    }
  }

  @Test
  @DisplayName("without ALLOW_HALF_CLOSURE the peer's end closes the tunnel")
  void noHalfClosure() throws Exception {
    Ends ends = new Ends();
    try (TunnelRig rig = TunnelRig.serving(ends::next)) {
      Recorder client = new Recorder();
      Tunnel tunnel = open(rig.connect(), client);
      assertThat(tunnel.config().getOption(ChannelOption.ALLOW_HALF_CLOSURE)).isTrue();
      tunnel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
      Recorder server = ends.take();

      ((DuplexChannel) Await.get(server.active)).shutdownOutput();

      Await.get(client.inactive);
      assertThat(client.events).containsExactly("active", "inactive");
      Await.get(server.inactive);
      assertThat(server.events).containsExactly("active", "end", "inactive");
    }
  }

  @Test
  @DisplayName("only bytes can be written, and nothing after the end")
  void refusedWrites() {
    try (TunnelRig rig = TunnelRig.serving(Recorder::new)) {
      Tunnel tunnel = open(rig.connect(), new Recorder());

      assertThat(Await.failure(tunnel.writeAndFlush("text")))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("String");
      tunnel.shutdownOutput();
      assertThat(
              Await.failure(
                  tunnel.writeAndFlush(ByteBufUtil.writeUtf8(tunnel.alloc(), "too late"))))
          .hasMessageContaining("shut down");
    }
  }

  /** Hands out recorders to the server's tunnels, and to the test in the same order. */
  static final class Ends {
    private final BlockingQueue<Recorder> made = new LinkedBlockingQueue<>();

    Recorder next() {
      Recorder recorder = new Recorder();
      made.add(recorder);
      return recorder;
    }

    Recorder take() throws InterruptedException {
      Recorder recorder = made.poll(20, TimeUnit.SECONDS);
      if (recorder == null) {
        throw new AssertionError("no tunnel arrived");
      }
      return recorder;
    }
  }
}
