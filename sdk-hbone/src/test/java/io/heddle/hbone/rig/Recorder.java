// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.rig;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** One end of a tunnel that only remembers. */
public class Recorder extends ChannelInboundHandlerAdapter {
  public final CompletableFuture<Channel> active = new CompletableFuture<>();
  public final CompletableFuture<Void> ended = new CompletableFuture<>();
  public final CompletableFuture<Throwable> error = new CompletableFuture<>();
  public final CompletableFuture<Void> inactive = new CompletableFuture<>();
  public final AtomicLong count = new AtomicLong();
  public final List<String> events = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    events.add("active");
    active.complete(ctx.channel());
    ctx.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf data = (ByteBuf) message;
    try {
      received(ctx, data);
    } finally {
      count.addAndGet(data.readableBytes());
      data.release();
    }
  }

  /** The bytes stay the recorder's. */
  protected void received(ChannelHandlerContext ctx, ByteBuf data) {
    byte[] copy = new byte[data.readableBytes()];
    data.getBytes(data.readerIndex(), copy);
    synchronized (bytes) {
      bytes.writeBytes(copy);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      events.add("end");
      ended.complete(null);
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    events.add("error");
    error.complete(cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    events.add("inactive");
    inactive.complete(null);
    ctx.fireChannelInactive();
  }

  public byte[] bytes() {
    synchronized (bytes) {
      return bytes.toByteArray();
    }
  }

  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }
}
