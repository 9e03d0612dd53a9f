// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.hbone.netty.TunnelRequest;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A proxy that answers in place of what it is asked for, and remembers what that was. */
final class EchoProxy implements TunnelAcceptor {

  private final BlockingQueue<TunnelRequest> asked = new LinkedBlockingQueue<>();

  /** The CONNECTs in their order. */
  BlockingQueue<TunnelRequest> asked() {
    return asked;
  }

  @Override
  public void onConnect(TunnelRequest request) {
    asked.add(request);
    request.accept(null, new Echo());
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ctx.writeAndFlush(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        ((DuplexChannel) ctx.channel())
            .shutdownOutput()
            .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      }
    }
  }
}
