// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.internal.blocking.BlockingByteChannel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import java.util.function.Consumer;

/** Puts the blocking bridge into a tunnel and hands the tunnel over once it is active. */
final class TunnelHandoff extends ChannelInboundHandlerAdapter {

  private final BlockingByteChannel bytes;
  private final Consumer<DuplexChannel> taker;

  TunnelHandoff(BlockingByteChannel bytes, Consumer<DuplexChannel> taker) {
    this.bytes = bytes;
    this.taker = taker;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    ctx.pipeline().addAfter(ctx.name(), null, bytes.handler());
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.fireChannelActive();
    taker.accept((DuplexChannel) ctx.channel());
    ctx.pipeline().remove(this);
  }
}
