// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Counts and drops. */
final class BulkSink extends ChannelInboundHandlerAdapter {

  private final Arrivals arrivals;

  BulkSink(Arrivals arrivals) {
    this.arrivals = arrivals;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    int length = bytes.readableBytes();
    bytes.release();
    arrivals.add(length);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    arrivals.fail(cause);
  }
}
