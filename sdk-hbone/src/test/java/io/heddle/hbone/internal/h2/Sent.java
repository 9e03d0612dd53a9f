// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The end of the wire: what is flushed has been sent, what is not by the end never is. Nothing is
 * passed on, since an {@code EmbeddedChannel} runs the tasks of its loop inside of a write, in some
 * versions of Netty, which no event loop does.
 */
final class Sent extends ChannelOutboundHandlerAdapter {
  private final FrameWatch watch;
  private final Deque<Write> unflushed = new ArrayDeque<>();

  private record Write(ByteBuf bytes, ChannelPromise promise) {}

  Sent(FrameWatch watch) {
    this.watch = watch;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    unflushed.add(new Write((ByteBuf) message, promise));
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    for (Write write = unflushed.poll(); write != null; write = unflushed.poll()) {
      watch.written(write.bytes());
      write.bytes().release();
      write.promise().trySuccess();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    for (Write write = unflushed.poll(); write != null; write = unflushed.poll()) {
      write.bytes().release();
      write.promise().tryFailure(new ClosedChannelException());
    }
  }
}
