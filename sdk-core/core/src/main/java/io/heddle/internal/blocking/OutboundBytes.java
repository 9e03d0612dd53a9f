// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sending half: an application thread copies its bytes into buffers, the event loop writes as
 * many as the channel takes and flushes once a batch.
 *
 * <ul>
 *   <li>Memory: a writer waits while the send buffer is full, and the event loop moves bytes on
 *       only while the channel is writable, so at most the send buffer, one chunk and the channel's
 *       own high-water mark are held.
 *   <li>Ownership: a buffer belongs to {@code queue} until polled; the event loop polls to write,
 *       and anybody polls to release once the half is over.
 *   <li>End: {@code shutdownOutput} and {@code close} take effect at the channel only when every
 *       write has completed, because both drop what the channel still holds.
 * </ul>
 */
final class OutboundBytes extends OutputStream implements ChannelFutureListener {

  /** Large writes are cut, so that sending begins while the application still copies. */
  private static final int CHUNK_BYTES = 64 * 1024;

  /** What one turn on the event loop may write before other channels get theirs. */
  private static final int TURN_BYTES = 1024 * 1024;

  /** How long a closed channel waits for a peer that takes nothing. */
  private static final long STALLED_CLOSE_SECONDS = 30;

  private final ChannelBridge bridge;
  private final WaitingThread writer;
  private final ReentrantLock writers = new ReentrantLock();
  private final Queue<ByteBuf> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queuedBytes = new AtomicInteger();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Runnable drain = this::drain;

  private volatile @Nullable Throwable failure;
  private volatile boolean shutdown;
  private volatile int sendBufferBytes = BlockingByteChannel.DEFAULT_BUFFER_BYTES;

  // Event loop only.
  private boolean draining;
  private boolean shutdownSent;
  private boolean shutdownDone;
  private int writesInFlight;
  private long writesDone;

  OutboundBytes(ChannelBridge bridge, Runnable closeOnInterrupt) {
    this.bridge = bridge;
    this.writer = new WaitingThread(closeOnInterrupt);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, source.length);
    bridge.refuseEventLoop();
    writers.lock();
    try {
      int end = offset + length;
      for (int from = offset; from < end; from += CHUNK_BYTES) {
        awaitRoom();
        int chunk = Math.min(CHUNK_BYTES, end - from);
        handOver(bridge.allocator().directBuffer(chunk).writeBytes(source, from, chunk));
      }
    } finally {
      writers.unlock();
    }
  }

  private void awaitRoom() throws SocketException {
    requireUsable();
    if (queuedBytes.get() >= sendBufferBytes) {
      writer.await(this::hasRoomOrEnded, WaitingThread.FOR_EVER);
      requireUsable();
    }
  }

  /** Half empty, not just below the limit: else the two threads wake each other for every chunk. */
  private boolean hasRoomOrEnded() {
    return queuedBytes.get() <= sendBufferBytes / 2 || isOver();
  }

  private boolean isOver() {
    return failure != null || shutdown || bridge.isClosed();
  }

  private void requireUsable() throws SocketException {
    bridge.requireOpen();
    if (shutdown) {
      throw new SocketException("Socket output is shutdown");
    }
    Throwable cause = failure;
    if (cause != null) {
      throw ChannelBridge.connectionReset(cause);
    }
  }

  private void handOver(ByteBuf buffer) throws SocketException {
    queuedBytes.addAndGet(buffer.readableBytes());
    queue.add(buffer);
    if (failure != null || bridge.isAborted()) {
      releaseAll();
      requireUsable();
    }
    schedule();
  }

  private void schedule() {
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      bridge.execute(drain);
    }
  }

  @Override
  public void close() throws IOException {
    bridge.close();
  }

  void sendBufferBytes(int bytes) {
    sendBufferBytes = bytes;
  }

  /** Sends what is queued, then the end of stream. Does not wait. Any thread. */
  void shutdown() {
    shutdown = true;
    writer.wake();
    bridge.execute(drain);
  }

  /** After the bridge was marked closed: lets a waiting writer see it. Any thread. */
  void wake() {
    writer.wake();
  }

  /** Any thread, once no buffer will be written any more. */
  void releaseAll() {
    ByteBuf buffer;
    while ((buffer = queue.poll()) != null) {
      buffer.release();
    }
  }

  // ---- event loop only ----

  /** Moves queued buffers to the channel while it takes them. */
  void drain() {
    scheduled.set(false);
    ChannelHandlerContext context = bridge.context();
    // A flush may report the channel writable again before it returns: that call ends here.
    if (draining || context == null || !context.channel().isActive()) {
      return;
    }
    draining = true;
    try {
      int budget = TURN_BYTES;
      int written;
      do {
        written = writeBatch(context, budget);
        budget -= written;
      } while (written > 0 && budget > 0);
    } finally {
      draining = false;
    }
    if (!queue.isEmpty() && context.channel().isWritable()) {
      schedule();
    }
    endIfDrained();
  }

  private int writeBatch(ChannelHandlerContext context, int budget) {
    int written = 0;
    ByteBuf buffer;
    while (written < budget && context.channel().isWritable() && (buffer = queue.poll()) != null) {
      int bytes = buffer.readableBytes();
      written += bytes;
      queuedBytes.addAndGet(-bytes);
      writesInFlight++;
      context.write(buffer).addListener(this);
    }
    if (written > 0) {
      // Before the flush: the writer copies its next chunks while the system call runs.
      if (queuedBytes.get() <= sendBufferBytes / 2) {
        writer.wake();
      }
      context.flush();
    }
    return written;
  }

  @Override
  public void operationComplete(ChannelFuture write) {
    writesInFlight--;
    writesDone++;
    if (!write.isSuccess()) {
      bridge.fail(write.cause());
    }
    endIfDrained();
  }

  private void endIfDrained() {
    boolean closing = bridge.isClosed();
    if (bridge.isAborted() || !(closing || shutdown) || !queue.isEmpty() || writesInFlight > 0) {
      return;
    }
    if (!shutdownSent) {
      shutdownSent = true;
      bridge.shutdownChannelOutput(this::shutdownDone);
    } else if (closing && shutdownDone) {
      bridge.closeChannel();
    }
  }

  private void shutdownDone() {
    shutdownDone = true;
    endIfDrained();
  }

  /** Closed by the application: what is queued is still sent, as a kernel would. */
  void sendRestThenClose() {
    Channel channel = bridge.channel();
    if (channel == null || !channel.isActive()) {
      bridge.closeChannel();
      return;
    }
    drain();
    if (channel.isActive()) {
      watchClose(channel, writesDone);
    }
  }

  private void watchClose(Channel channel, long doneBefore) {
    bridge.schedule(
        () -> {
          if (channel.isActive() && writesDone == doneBefore) {
            bridge.reset();
          } else if (channel.isActive()) {
            watchClose(channel, writesDone);
          }
        },
        STALLED_CLOSE_SECONDS,
        TimeUnit.SECONDS);
  }

  /** The channel is of no use any more; the first cause is the one that is told. */
  void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    releaseAll();
    writer.wake();
  }
}
