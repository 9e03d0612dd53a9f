// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;

/** How connections that were opened only to be closed come to their end. */
@SuppressWarnings("FutureReturnValueIgnored") // The load waits for the end of the channel.
final class Endings {

  private Endings() {}

  /** Waits for the other end, and does not mind how it goes. */
  static final class Patient extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  /** Resets the connection at once. */
  static final class Cutting extends ChannelInboundHandlerAdapter {
    private final Arrivals delivered;

    Cutting(Arrivals delivered) {
      this.delivered = delivered;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      delivered.add(1);
      ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
      ctx.close();
    }
  }

  /** Ends its own direction as soon as the connection is there. */
  static final class EndingFirst extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ((DuplexChannel) ctx.channel()).shutdownOutput();
    }
  }

  /** Ends when the other end did. */
  static final class EndingSecond extends ChannelInboundHandlerAdapter {
    private final Arrivals delivered;

    EndingSecond(Arrivals delivered) {
      this.delivered = delivered;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      delivered.add(1);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event == ChannelInputShutdownEvent.INSTANCE) {
        ctx.close();
      }
    }
  }
}
