// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.TunnelRig;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A server that ends while an application still reads what had arrived. */
class UnreadAtTheEndTest {

  private static final int SENT = 10_000;

  private final CompletableFuture<DuplexChannel> accepted = new CompletableFuture<>();
  private final AtomicInteger read = new AtomicInteger();

  @Test
  @DisplayName(
      "what arrived before a drain is read after it, to its end, on the server's own loops")
  void readAfterTheDrain() throws Exception {
    try (TunnelRig rig = TunnelRig.serving(ChannelInboundHandlerAdapter::new)) {
      HboneServer server =
          HboneServer.builder(rig.serverTls, request -> request.accept(null, new Late())).build();
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      TunnelTarget target =
          new TunnelTarget(
              Await.get(server.bind(any)),
              List.of(TunnelRig.SERVER),
              null,
              TunnelRig.AUTHORITY,
              TunnelHeaders.NONE);
      ClientConnection connection = Await.get(rig.dial(HboneSettings.defaults(), target));
      Await.get(TunnelRig.open(connection, new Sender()).closeFuture());
      DuplexChannel tunnel = accepted.get(30, TimeUnit.SECONDS);

      Future<Void> drained = server.drain(Duration.ofSeconds(30));
      Await.until("no connection is left", () -> server.connections() == 0);

      assertThat(tunnel.isOpen()).isTrue();
      tunnel.config().setAutoRead(true);
      Await.get(tunnel.closeFuture());
      assertThat(read).hasValue(SENT);
      Await.get(drained);
    }
  }

  /** Ends its output at once, and reads nothing by itself. */
  private final class Late extends ChannelInboundHandlerAdapter {
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      ctx.channel().config().setAutoRead(false);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public void channelActive(ChannelHandlerContext ctx) {
      DuplexChannel tunnel = (DuplexChannel) ctx.channel();
      tunnel.shutdownOutput();
      accepted.complete(tunnel);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      read.addAndGet(bytes.readableBytes());
      bytes.release();
    }
  }

  private static final class Sender extends ChannelInboundHandlerAdapter {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.writeAndFlush(ctx.alloc().buffer().writeZero(SENT));
      ((DuplexChannel) ctx.channel()).shutdownOutput();
    }
  }
}
