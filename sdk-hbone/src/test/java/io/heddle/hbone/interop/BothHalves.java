// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;

/** Closes a TCP channel when both its halves are over, as a tunnel does by itself. */
final class BothHalves extends ChannelInboundHandlerAdapter {
  private boolean inputOver;
  private boolean outputOver;

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    inputOver |= event instanceof ChannelInputShutdownEvent;
    outputOver |= event instanceof ChannelOutputShutdownEvent;
    ctx.fireUserEventTriggered(event);
    if (inputOver && outputOver) {
      ctx.close();
    }
  }
}
