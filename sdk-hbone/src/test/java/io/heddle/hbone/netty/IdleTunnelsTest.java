// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.rig.TunnelRig.openAsync;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.TunnelRig;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IdleTunnelsTest {
  private static final int CONNECTIONS = 100;
  private static final int TUNNELS = 10_000;

  @Test
  @DisplayName("B054 ten thousand idle tunnels cost at most 5 KiB each, both ends together")
  void idleTunnels() {
    AtomicInteger answered = new AtomicInteger();
    TenBytes server = new TenBytes(false, answered);
    TenBytes client = new TenBytes(true, answered);
    try (TunnelRig rig = TunnelRig.serving(() -> server)) {
      List<ClientConnection> connections = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(rig.connect());
      }
      List<Tunnel> tunnels = new ArrayList<>(TUNNELS);
      openOnEach(connections, client, tunnels, 1);
      Await.until("ten bytes on each", () -> answered.get() == 10 * tunnels.size());
      int before = tunnels.size();
      long base = usedBytes();

      openOnEach(connections, client, tunnels, TUNNELS / CONNECTIONS - 1);
      Await.until("ten bytes on each", () -> answered.get() == 10 * TUNNELS);

      long each = (usedBytes() - base) / (TUNNELS - before);
      assertThat(each).isLessThan(5 << 10);
      assertThat(tunnels).allMatch(Tunnel::isActive);
    }
  }

  private static void openOnEach(
      List<ClientConnection> connections, ChannelHandler handler, List<Tunnel> tunnels, int count) {
    for (ClientConnection connection : connections) {
      List<Future<Tunnel>> opening = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        opening.add(openAsync(connection, handler));
      }
      opening.forEach(future -> tunnels.add(Await.get(future)));
    }
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least + PlatformDependent.usedDirectMemory();
  }

  /** The rig cuts the tunnels when it closes. */
  @ChannelHandler.Sharable
  private static final class TenBytes extends ChannelInboundHandlerAdapter {
    private final boolean asks;
    private final AtomicInteger answered;

    TenBytes(boolean asks, AtomicInteger answered) {
      this.asks = asks;
      this.answered = answered;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      if (asks) {
        ctx.writeAndFlush(ctx.alloc().buffer(10).writeZero(10));
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (asks) {
        ByteBuf data = (ByteBuf) message;
        answered.addAndGet(data.readableBytes());
        data.release();
      } else {
        ctx.writeAndFlush(message);
      }
    }
  }
}
