// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Writes as much as it is told, while the channel takes it. */
@SuppressWarnings("FutureReturnValueIgnored") // Void promises: a failure fires an exception.
class BulkSource extends ChannelInboundHandlerAdapter {

  private final int chunk;
  private final ByteBuf bytes;
  private long left;

  /**
   * A source of zeros.
   *
   * @param chunk the size of each write
   */
  BulkSource(int chunk) {
    this.chunk = chunk;
    this.bytes = Unpooled.directBuffer(chunk).writeZero(chunk);
  }

  final void send(Channel channel, long amount) {
    channel.eventLoop().execute(() -> send(channel.pipeline().context(this), amount));
  }

  final void send(ChannelHandlerContext ctx, long amount) {
    left += amount;
    fill(ctx);
  }

  @Override
  public final void channelWritabilityChanged(ChannelHandlerContext ctx) {
    fill(ctx);
  }

  @Override
  public final void handlerRemoved(ChannelHandlerContext ctx) {
    left = 0;
    bytes.release();
  }

  private void fill(ChannelHandlerContext ctx) {
    if (left == 0) {
      return;
    }
    while (left > 0 && ctx.channel().isWritable()) {
      int length = (int) Math.min(chunk, left);
      left -= length;
      ctx.write(bytes.retainedDuplicate().writerIndex(length), ctx.voidPromise());
    }
    ctx.flush();
  }
}
