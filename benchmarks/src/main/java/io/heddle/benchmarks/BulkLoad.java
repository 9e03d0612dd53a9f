// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One direction, one connection: how many bytes a second arrive at the server's application. */
final class BulkLoad {

  private static final int CHUNK = 64 * 1024;
  private static final int LIMIT_SECONDS = 120;

  private final Contender contender;
  private volatile CompletableFuture<Long> arrived = new CompletableFuture<>();
  private volatile long expected;

  BulkLoad(Contender contender) throws Exception {
    this.contender = contender;
    contender.serve(Sink::new);
  }

  /** Megabytes a second over a fresh connection. */
  double megabytesPerSecond(long bytes) throws Exception {
    arrived = new CompletableFuture<>();
    expected = bytes;
    Source source = new Source(bytes);
    Channel channel = contender.connect(source);
    try {
      long start = System.nanoTime();
      channel.eventLoop().execute(() -> source.start(channel));
      long end = arrived.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      return bytes / 1e6 / ((end - start) / 1e9);
    } finally {
      channel.close().sync();
    }
  }

  /** Writes while the channel takes it. */
  @SuppressWarnings("FutureReturnValueIgnored") // Void promises: a failure fires an exception.
  private static final class Source extends ChannelInboundHandlerAdapter {
    private final ByteBuf chunk =
        Unpooled.unreleasableBuffer(Unpooled.directBuffer(CHUNK).writeZero(CHUNK));
    private long left;

    Source(long bytes) {
      left = bytes;
    }

    void start(Channel channel) {
      ChannelHandlerContext ctx = channel.pipeline().context(this);
      fill(ctx);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      fill(ctx);
    }

    private void fill(ChannelHandlerContext ctx) {
      while (left > 0 && ctx.channel().isWritable()) {
        int length = (int) Math.min(CHUNK, left);
        left -= length;
        ctx.write(chunk.duplicate().writerIndex(length), ctx.voidPromise());
      }
      ctx.flush();
    }
  }

  /** Counts and drops. */
  private final class Sink extends ChannelInboundHandlerAdapter {
    private long received;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      received += ((ByteBuf) message).readableBytes();
      ReferenceCountUtil.release(message);
      if (received == expected) {
        arrived.complete(System.nanoTime());
      }
    }
  }
}
