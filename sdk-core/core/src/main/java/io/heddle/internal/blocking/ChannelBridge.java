// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.heddle.internal.relay.ChannelReset;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The handler between a channel and its two blocking halves. It owns the channel's reads, turns the
 * channel's events into the ends of the halves, and carries the application's close to the channel.
 *
 * <p>Handler methods and those so marked run on the event loop; all others on any thread.
 */
final class ChannelBridge extends ChannelInboundHandlerAdapter {

  private final ChannelReset resetting;
  private final InboundBytes inbound;
  private final OutboundBytes outbound;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CompletableFuture<Void> gone = new CompletableFuture<>();
  private final Runnable read = this::read;
  private volatile @Nullable ChannelHandlerContext context;
  private volatile boolean aborted;

  ChannelBridge(ChannelReset resetting) {
    this.resetting = resetting;
    this.inbound = new InboundBytes(this, this::close);
    this.outbound = new OutboundBytes(this, this::close);
  }

  InboundBytes inbound() {
    return inbound;
  }

  OutboundBytes outbound() {
    return outbound;
  }

  /** Completes when the channel is gone for good. */
  CompletableFuture<Void> gone() {
    return gone;
  }

  @Nullable ChannelHandlerContext context() {
    return context;
  }

  @Nullable DuplexChannel channel() {
    ChannelHandlerContext current = context;
    return current == null ? null : (DuplexChannel) current.channel();
  }

  ByteBufAllocator allocator() throws SocketException {
    ChannelHandlerContext current = context;
    if (current == null) {
      throw new SocketException("Socket is not connected");
    }
    return current.alloc();
  }

  boolean isClosed() {
    return closed.get();
  }

  /** Closed, and nothing queued will be sent any more. */
  boolean isAborted() {
    return aborted;
  }

  void requireOpen() throws SocketException {
    if (closed.get()) {
      throw new SocketException("Socket closed");
    }
  }

  /** A thread that waits for its own event loop waits for ever. */
  void refuseEventLoop() {
    ChannelHandlerContext current = context;
    if (current != null && current.executor().inEventLoop()) {
      throw new IllegalStateException(
          "blocking I/O on the event loop of its own channel "
              + current.channel()
              + " would never end; use an application thread");
    }
  }

  /** A new exception for each caller, worded as by the JDK because callers test the words. */
  static SocketException connectionReset(Throwable cause) {
    String detail = cause.getMessage();
    SocketException reset =
        new SocketException("Connection reset" + (detail == null ? "" : ": " + detail));
    reset.initCause(cause);
    return reset;
  }

  /** Ends both halves for the application; what it has written is still sent. */
  void close() {
    if (endHalves()) {
      execute(outbound::sendRestThenClose);
    }
  }

  /** Ends both halves at once; the peer sees a reset. */
  void abort() {
    // First, so that no drain takes this for a close and sends an end of stream.
    aborted = true;
    endHalves();
    outbound.releaseAll();
    execute(this::reset);
  }

  private boolean endHalves() {
    boolean first = closed.compareAndSet(false, true);
    inbound.discard();
    outbound.wake();
    return first;
  }

  void requestRead() {
    execute(read);
  }

  /**
   * Runs on the channel's event loop; not at all when there is no channel or its loop has ended.
   */
  void execute(Runnable task) {
    ChannelHandlerContext current = context;
    if (current == null) {
      return;
    }
    if (current.executor().inEventLoop()) {
      task.run();
      return;
    }
    try {
      current.executor().execute(task);
    } catch (RejectedExecutionException loopHasEnded) {
      fail(loopHasEnded);
    }
  }

  // ---- event loop only ----

  void schedule(Runnable task, long delay, TimeUnit unit) {
    ChannelHandlerContext current = context;
    if (current != null) {
      var timer = current.executor().schedule(task, delay, unit);
      var unused = gone.whenComplete((nothing, failure) -> timer.cancel(false));
    }
  }

  private void read() {
    ChannelHandlerContext current = context;
    if (current != null && inbound.mayComeMore()) {
      current.read();
    }
  }

  void shutdownChannelOutput(Runnable done) {
    DuplexChannel channel = channel();
    if (channel != null) {
      channel
          .shutdownOutput()
          .addListener(
              shutdown -> {
                if (!shutdown.isSuccess()) {
                  fail(shutdown.cause());
                }
                done.run();
              });
    }
  }

  void closeChannel() {
    ChannelHandlerContext current = context;
    if (current != null) {
      var unused = current.close();
    }
  }

  void reset() {
    DuplexChannel channel = channel();
    if (channel != null && channel.isOpen()) {
      resetting.reset(channel);
    }
  }

  /** The channel has failed: both halves learn the cause, and nothing more can pass. */
  void fail(Throwable cause) {
    inbound.end(cause);
    outbound.fail(cause);
    closeChannel();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    added.channel().config().setAutoRead(false);
    // Without it the peer's end of stream closes our own direction too.
    added.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    context = added;
    if (isClosed()) {
      var unused = added.close();
    } else if (added.channel().isActive()) {
      added.read();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    active.fireChannelActive();
    active.read();
  }

  @Override
  public void channelRead(ChannelHandlerContext source, Object message) {
    if (message instanceof ByteBuf buffer) {
      inbound.receive(buffer);
    } else {
      ReferenceCountUtil.release(message);
      fail(new IllegalStateException("not bytes: " + message.getClass().getName()));
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext source) {
    inbound.batchReceived();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext source, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inbound.end(null);
    }
    source.fireUserEventTriggered(event);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext source) {
    outbound.drain();
    source.fireChannelWritabilityChanged();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext source, Throwable cause) {
    fail(cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext source) {
    // With half-closure allowed a clean end was announced before: this is none.
    fail(new ClosedChannelException());
    gone.complete(null);
    source.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    fail(new ClosedChannelException());
    gone.complete(null);
  }
}
