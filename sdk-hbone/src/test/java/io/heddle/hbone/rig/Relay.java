// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.rig;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;

/** Copies what one channel reads to another on the same loop, ends and back-pressure included. */
public final class Relay extends ChannelInboundHandlerAdapter {
  private final Channel other;

  public Relay(Channel other) {
    this.other = other;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    other.write(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    other.flush();
    ctx.channel().config().setAutoRead(other.isWritable());
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    other.config().setAutoRead(ctx.channel().isWritable());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      Output.end(other);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    other.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
