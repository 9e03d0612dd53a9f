// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.nested;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Ends an outer tunnel with the end of its stream, and waits for the peer's before it closes. A
 * close at once would reset the stream behind its end, and a gateway that acts on the reset first
 * loses what is still on its way to the peer inside.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A failed end shows as the close of the channel.
final class OuterEnd extends ChannelOutboundHandlerAdapter {

  /** A peer that has our close_notify answers within a round trip. */
  private static final long PATIENCE_SECONDS = 2;

  private boolean ending;

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (ending || !ctx.channel().isActive()) {
      ctx.close(promise);
      return;
    }
    ending = true;
    DuplexChannel outer = (DuplexChannel) ctx.channel();
    outer.shutdownOutput();
    Future<?> deadline =
        ctx.executor().schedule(() -> ctx.close(), PATIENCE_SECONDS, TimeUnit.SECONDS);
    outer
        .closeFuture()
        .addListener(
            closed -> {
              deadline.cancel(false);
              promise.trySuccess();
            });
  }
}
