// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.channel;

import io.heddle.hbone.TunnelException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a tunnel: what arrived, and what of it the pipeline has asked for. Event loop
 * only, but for the one flag that other threads may ask.
 *
 * <p>Order is kept: bytes first, then the peer's end or the failure.
 */
final class TunnelInput {
  private final TunnelChannel channel;
  private final TunnelStream stream;

  private volatile boolean shutdown;
  private @Nullable InboundQueue queue;
  private boolean readPending;
  private boolean deliveredInBatch;
  private boolean drainScheduled;
  private boolean endReceived;
  private @Nullable TunnelException failure;

  TunnelInput(TunnelChannel channel, TunnelStream stream) {
    this.channel = channel;
    this.stream = stream;
  }

  /** Whether the pipeline was told that no more bytes come. */
  boolean isShutdown() {
    return shutdown;
  }

  /** Whether the peer's output has ended in order, read or not. */
  boolean hasEnded() {
    return endReceived;
  }

  boolean hasFailed() {
    return failure != null;
  }

  boolean isEmpty() {
    return queue == null || queue.isEmpty();
  }

  int receive(ByteBuf data) {
    int size = data.readableBytes();
    if (!channel.isOpen() || shutdown || failure != null || size == 0) {
      return size;
    }
    if (mayDeliver() && isEmpty()) {
      deliver(data.retain());
      return size;
    }
    if (queue == null) {
      queue = new InboundQueue();
    }
    queue.add(data, channel.alloc());
    return 0;
  }

  void receiveEnd() {
    endReceived = true;
  }

  void receiveComplete() {
    if (!channel.isActive()) {
      return;
    }
    if (deliveredInBatch) {
      readPending = false;
      fireReadComplete();
    }
    if (readPending && isEmpty()) {
      deliverEnd();
    }
  }

  /** Bytes that wait are delivered first; returns whether there are any. */
  boolean fail(TunnelException cause) {
    failure = cause;
    if (isEmpty()) {
      deliverFailure();
      return false;
    }
    return true;
  }

  void beginRead() {
    if (!readPending) {
      readPending = true;
      if (!isEmpty() || (endReceived && !shutdown) || failure != null) {
        scheduleDrain();
      }
    }
  }

  void autoReadCleared() {
    readPending = false;
  }

  /** What arrives from now on is thrown away, so that a peer that goes on writing is not stuck. */
  void ignore() {
    if (!shutdown && channel.isOpen()) {
      shutdown = true;
      stream.consumed(release());
      channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
      channel.closeIfOver();
    }
  }

  /** Throws away what was not read; returns how many bytes. */
  int release() {
    return queue == null ? 0 : queue.release();
  }

  /** As with sockets, a {@code read()} without auto-read is good for one message. */
  private boolean mayDeliver() {
    return readPending
        && channel.isActive()
        && (!deliveredInBatch || channel.config().isAutoRead());
  }

  private void deliver(ByteBuf data) {
    deliveredInBatch = true;
    channel.pipeline().fireChannelRead(data);
  }

  private void fireReadComplete() {
    deliveredInBatch = false;
    channel.pipeline().fireChannelReadComplete();
  }

  /** Later, because {@code read()} is often called from a handler that is still busy. */
  private void scheduleDrain() {
    if (!drainScheduled) {
      drainScheduled = true;
      channel.eventLoop().execute(this::drain);
    }
  }

  private void drain() {
    drainScheduled = false;
    while (queue != null && !queue.isEmpty() && mayDeliver()) {
      ByteBuf data = queue.poll();
      if (data != null) {
        int size = data.readableBytes();
        deliver(data);
        stream.consumed(size);
      }
    }
    receiveComplete();
  }

  private void deliverEnd() {
    if (failure != null) {
      deliverFailure();
    } else if (endReceived && !shutdown) {
      shutdown = true;
      if (channel.config().isAllowHalfClosure()) {
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        channel.closeIfOver();
      } else {
        channel.closeNow();
      }
    }
  }

  private void deliverFailure() {
    TunnelException cause = failure;
    if (cause != null) {
      ChannelPipeline pipeline = channel.pipeline();
      if (deliveredInBatch) {
        fireReadComplete();
      }
      pipeline.fireExceptionCaught(cause);
      channel.closeNow();
    }
  }
}
