// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import io.heddle.hbone.rig.Output;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.concurrent.CompletableFuture;

/** Says something, ends, and expects to hear it again, then the other end. */
final class ShortTalk extends ChannelInboundHandlerAdapter {
  private static final int BYTES = 100;

  /** How many bytes came back before the other side's end; fails on anything but an end. */
  final CompletableFuture<Integer> heard = new CompletableFuture<>();

  private int count;

  static boolean isAll(int bytes) {
    return bytes == BYTES;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.write(ctx.alloc().buffer(BYTES).writeZero(BYTES));
    Output.end(ctx.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    count += bytes.readableBytes();
    bytes.release();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      heard.complete(count);
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    heard.completeExceptionally(cause);
    ctx.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    heard.completeExceptionally(new AssertionError("closed before the end"));
  }
}
