// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What arrives at the application's end of one tunnel; to be read by the test's thread. */
final class TunnelEnd extends ChannelInboundHandlerAdapter {

  private final StringBuilder received = new StringBuilder();
  private volatile @Nullable Throwable error;
  private volatile boolean ended;
  private volatile boolean closed;
  private @Nullable Future<Tunnel> opening;

  /** Opens a tunnel whose end this is. */
  static TunnelEnd open(HboneClient client, TunnelTarget target) {
    TunnelEnd end = new TunnelEnd();
    end.opening = client.open(target, end);
    return end;
  }

  /** To the first of several endpoints. */
  static TunnelEnd openFirst(HboneClient client, TunnelTarget... targets) {
    TunnelEnd end = new TunnelEnd();
    end.opening = client.openFirst(List.of(targets), end);
    return end;
  }

  /** The same, but nothing is read before the test asks for it. */
  static TunnelEnd openUnread(HboneClient client, TunnelTarget target) {
    TunnelEnd end = new TunnelEnd();
    end.opening =
        client.open(
            target,
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.config().setAutoRead(false);
                channel.pipeline().addLast(end);
              }
            });
    return end;
  }

  /** Waits for the answer. */
  Tunnel tunnel() throws Exception {
    await();
    return opening.get();
  }

  /** Waits for the failure. */
  Throwable failure() throws Exception {
    await();
    if (opening.isSuccess()) {
      throw new AssertionError("the tunnel was opened");
    }
    return opening.cause();
  }

  Future<Tunnel> opening() {
    return opening;
  }

  void send(String text) throws Exception {
    tunnel().writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII)).sync();
  }

  void send(int bytes) throws Exception {
    tunnel().writeAndFlush(Unpooled.wrappedBuffer(new byte[bytes]));
  }

  void end() throws Exception {
    tunnel().shutdownOutput();
  }

  /** Ends this direction and waits until the peer has ended the other. */
  void finish() throws Exception {
    end();
    tunnel().closeFuture().sync();
  }

  String received() {
    synchronized (received) {
      return received.toString();
    }
  }

  boolean isEnded() {
    return ended;
  }

  boolean isClosed() {
    return closed;
  }

  @Nullable Throwable error() {
    return error;
  }

  private void await() throws InterruptedException {
    if (!opening.await(30, TimeUnit.SECONDS)) {
      throw new AssertionError("no answer within 30 s");
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      synchronized (received) {
        received.append(bytes.toString(StandardCharsets.US_ASCII));
      }
    } finally {
      bytes.release();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      ended = true;
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    error = cause;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closed = true;
  }
}
