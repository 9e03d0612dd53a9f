// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * One channel of a relay: forwards what it receives to the other side, and writes what the other
 * side forwards. Event loop only.
 *
 * <ul>
 *   <li>A read is asked for only while the other side is writable, so a direction holds at most the
 *       other side's high-water mark and what one read delivers.
 *   <li>An end of stream is passed on when every write before it has completed, because shutting an
 *       output down drops what the channel still holds.
 * </ul>
 */
final class RelaySide extends ChannelInboundHandlerAdapter implements ChannelFutureListener {

  private final Relay relay;
  private final DuplexChannel channel;
  private final ChannelReset resetting;

  private long bytesReceived;
  private boolean readPaused;
  private boolean inputEnded;
  private boolean shutdownSent;
  private boolean outputEnded;
  private boolean sentToNobody;
  private int writesInFlight;
  private @Nullable Throwable failure;

  RelaySide(Relay relay, DuplexChannel channel, ChannelReset resetting) {
    this.relay = relay;
    this.channel = channel;
    this.resetting = resetting;
  }

  DuplexChannel channel() {
    return channel;
  }

  long bytesReceived() {
    return bytesReceived;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  /** Both directions of this channel have run to their end. */
  boolean isDone() {
    return inputEnded && outputEnded;
  }

  boolean hasInputEnded() {
    return inputEnded;
  }

  /** It went on sending when there was nobody left to receive it. */
  boolean hasSentToNobody() {
    return sentToNobody;
  }

  void install() {
    channel.config().setAutoRead(false);
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    channel.pipeline().addLast(this);
  }

  void start() {
    if (channel.isActive()) {
      askForMore();
    } else {
      fail(new ClosedChannelException());
    }
  }

  void reset() {
    if (channel.isOpen()) {
      resetting.reset(channel);
    }
  }

  void close() {
    var unused = channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext source, Object message) {
    RelaySide other = relay.otherThan(this);
    if (message instanceof ByteBuf bytes && other.failure == null) {
      bytesReceived += bytes.readableBytes();
      other.write(bytes);
      return;
    }
    ReferenceCountUtil.release(message);
    if (message instanceof ByteBuf) {
      sentToNobody = true;
      relay.advance();
    } else {
      fail(new IllegalStateException("not bytes: " + message.getClass().getName()));
    }
  }

  private void write(ByteBuf bytes) {
    writesInFlight++;
    channel.write(bytes).addListener(this);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext source) {
    relay.otherThan(this).channel.flush();
    askForMore();
  }

  /** Back-pressure; a side that is gone takes everything, for its end to be noticed. */
  void askForMore() {
    RelaySide other = relay.otherThan(this);
    readPaused = other.failure == null && !other.channel.isWritable();
    if (!readPaused && !inputEnded) {
      channel.read();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext source) {
    RelaySide other = relay.otherThan(this);
    if (channel.isWritable() && other.readPaused) {
      other.askForMore();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext source, Object event) {
    if (event instanceof ChannelInputShutdownEvent && !inputEnded) {
      inputEnded = true;
      relay.otherThan(this).endOutputWhenWritten();
      relay.advance();
    }
    source.fireUserEventTriggered(event);
  }

  @Override
  public void operationComplete(ChannelFuture write) {
    writesInFlight--;
    if (!write.isSuccess()) {
      fail(write.cause());
    }
    endOutputWhenWritten();
  }

  private void endOutputWhenWritten() {
    if (!relay.otherThan(this).inputEnded || shutdownSent || writesInFlight > 0) {
      return;
    }
    shutdownSent = true;
    channel
        .shutdownOutput()
        .addListener(
            shutdown -> {
              if (shutdown.isSuccess()) {
                outputEnded = true;
                relay.advance();
              } else {
                fail(shutdown.cause());
              }
            });
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext source, Throwable cause) {
    fail(cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext source) {
    // After a clean end in both directions this is the expected close; otherwise the failure.
    fail(new ClosedChannelException());
    source.fireChannelInactive();
  }

  /** The first failure is the one that is told; the closing it causes brings others. */
  private void fail(Throwable cause) {
    if (failure == null && !isDone()) {
      failure = cause;
      reset();
      relay.failed(this);
    }
  }
}
