// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.Tunnel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.List;

/**
 * An application that answers each event with one action, which may well be rude, and notes events
 * that it should not get.
 */
final class FuzzedTunnel extends ChannelInboundHandlerAdapter {
  private static final int ACTIONS = 8;

  /** Within what a peer grants at first, so that writability changes while frames are written. */
  private static final WriteBufferWaterMark LITTLE = new WriteBufferWaterMark(270_000, 280_000);

  private final int onActive;
  private final int onRead;
  private final int onWritable;
  private final int onEnd;
  private final int onError;
  private final boolean autoRead;
  private final List<String> breaches;
  private boolean active;
  private boolean ended;
  private boolean failed;
  private boolean inactive;
  private int actionsLeft = 40;

  FuzzedTunnel(Choices choices, List<String> breaches) {
    onActive = choices.below(ACTIONS);
    onRead = choices.below(ACTIONS);
    onWritable = choices.below(ACTIONS);
    onEnd = choices.below(ACTIONS);
    onError = choices.below(ACTIONS);
    autoRead = !choices.yes();
    this.breaches = breaches;
  }

  static void act(Tunnel tunnel, int action) {
    switch (action) {
      case 1 -> tunnel.writeAndFlush(tunnel.alloc().buffer().writeZero(100));
      case 2 -> writeMuch(tunnel);
      case 3 -> tunnel.shutdownOutput();
      case 4 -> tunnel.close();
      case 5 -> tunnel.reset();
      case 6 -> tunnel.read();
      case 7 -> tunnel.config().setAutoRead(!tunnel.config().isAutoRead());
      default -> {
        // Nothing is an action, too.
      }
    }
  }

  /** In pieces, so that frames and messages end in different places. */
  private static void writeMuch(Tunnel tunnel) {
    for (int i = 0; i < 30; i++) {
      tunnel.write(tunnel.alloc().buffer().writeZero(10_000));
    }
    tunnel.flush();
  }

  private void act(ChannelHandlerContext ctx, int action) {
    if (actionsLeft-- > 0) {
      act((Tunnel) ctx.channel(), action);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(autoRead);
    ctx.channel().config().setWriteBufferWaterMark(LITTLE);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    check(!active && !inactive, "active");
    active = true;
    act(ctx, onActive);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    check(active && !ended && !failed && !inactive, "a read");
    check(((ByteBuf) message).isReadable(), "an empty read");
    ((ByteBuf) message).release();
    act(ctx, onRead);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      act(ctx, onWritable);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      check(active && !ended && !failed && !inactive, "an end");
      ended = true;
      act(ctx, onEnd);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    check(cause instanceof TunnelException && !failed && !inactive, "an error: " + cause);
    failed = true;
    act(ctx, onError);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    check(active && !inactive, "inactive");
    inactive = true;
  }

  private void check(boolean right, String event) {
    if (!right) {
      breaches.add(
          String.format(
              "%s, while active %s, ended %s, failed %s, inactive %s",
              event, active, ended, failed, inactive));
    }
  }
}
