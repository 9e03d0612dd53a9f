// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Stops flushes that have nothing to flush. The HTTP/2 handler flushes after every read; through
 * TLS even an empty flush costs a call into the engine.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class FlushGate extends ChannelOutboundHandlerAdapter {
  private boolean written;

  @Override
  public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
    written = true;
    ctx.write(msg, promise);
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    if (written) {
      written = false;
      ctx.flush();
    }
  }
}
