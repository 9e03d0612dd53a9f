// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.hbone.rig.Recorder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends a request as two small writes, waits for as many bytes, and so on. */
final class PingPong extends Recorder {
  private static final int HALF = 100;

  final CompletableFuture<Void> done = new CompletableFuture<>();
  private final long[] nanos;
  private int round;
  private long start;
  private int missing;

  PingPong(int rounds) {
    nanos = new long[rounds];
  }

  long medianMillis() {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return TimeUnit.NANOSECONDS.toMillis(sorted[sorted.length / 2]);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    super.channelActive(ctx);
    next(ctx);
  }

  private void next(ChannelHandlerContext ctx) {
    start = System.nanoTime();
    missing = 2 * HALF;
    ctx.writeAndFlush(ctx.alloc().buffer(HALF).writeZero(HALF));
    ctx.writeAndFlush(ctx.alloc().buffer(HALF).writeZero(HALF));
  }

  @Override
  protected void received(ChannelHandlerContext ctx, ByteBuf data) {
    missing -= data.readableBytes();
    if (missing == 0) {
      nanos[round++] = System.nanoTime() - start;
      if (round == nanos.length) {
        done.complete(null);
      } else {
        next(ctx);
      }
    }
  }
}
