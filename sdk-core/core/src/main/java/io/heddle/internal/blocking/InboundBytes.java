// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half: the event loop puts buffers in as they come, one application thread at a time
 * copies them out.
 *
 * <ul>
 *   <li>Memory: a read is outstanding at the channel only while less than the read-ahead is held,
 *       so at most the read-ahead plus what one read delivers is held.
 *   <li>Ownership: a buffer belongs to {@code received} until polled (any thread may poll, only to
 *       release once {@code discarding}), then to {@code current}, guarded by {@code readers}.
 *   <li>The end is published after the last buffer, and read before the queue: what came before the
 *       end is read before the end.
 * </ul>
 */
final class InboundBytes extends InputStream {

  /** What a small buffer counts at least, for its object and its share of an arena. */
  private static final int SMALLEST_BUFFER_COST = 256;

  private final ChannelBridge bridge;
  private final WaitingThread reader;
  private final ReentrantLock readers = new ReentrantLock();
  private final Queue<ByteBuf> received = new ConcurrentLinkedQueue<>();
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicBoolean paused = new AtomicBoolean();

  private @Nullable ByteBuf current; // guarded by readers
  private volatile @Nullable End end;
  private volatile boolean discarding;
  private volatile int readAheadBytes = BlockingByteChannel.DEFAULT_BUFFER_BYTES;
  private volatile int timeoutMillis;
  private boolean channelEnded; // event loop only

  /** How the input ended: cleanly when there is no failure. */
  private record End(@Nullable Throwable failure) {}

  InboundBytes(ChannelBridge bridge, Runnable closeOnInterrupt) {
    this.bridge = bridge;
    this.reader = new WaitingThread(closeOnInterrupt);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    bridge.refuseEventLoop();
    readers.lock();
    try {
      return readLocked(target, offset, length);
    } finally {
      readers.unlock();
      // Who closes while a reader is inside cannot take the lock and leaves the rest to the reader.
      if (discarding) {
        releaseAll();
      }
    }
  }

  private int readLocked(byte[] target, int offset, int length) throws IOException {
    while (true) {
      bridge.requireOpen();
      End seen = end;
      int copied = discarding ? 0 : copy(target, offset, length);
      if (copied > 0) {
        return copied;
      }
      if (seen != null) {
        return endOfInput(seen);
      }
      if (!reader.await(this::hasNews, TimeUnit.MILLISECONDS.toNanos(timeoutMillis))) {
        throw new SocketTimeoutException("Read timed out");
      }
    }
  }

  private boolean hasNews() {
    return !received.isEmpty() || end != null || bridge.isClosed();
  }

  private static int endOfInput(End end) throws SocketException {
    if (end.failure() != null) {
      throw ChannelBridge.connectionReset(end.failure());
    }
    return -1;
  }

  /** Fills the target from as many buffers as are there; never waits. */
  private int copy(byte[] target, int offset, int length) {
    int copied = 0;
    while (copied < length) {
      ByteBuf buffer = current;
      if (buffer == null) {
        buffer = received.poll();
        if (buffer == null) {
          break;
        }
        current = buffer;
      }
      int step = Math.min(buffer.readableBytes(), length - copied);
      buffer.readBytes(target, offset + copied, step);
      copied += step;
      if (!buffer.isReadable()) {
        current = null;
        release(buffer);
      }
    }
    return copied;
  }

  private void release(ByteBuf buffer) {
    long held = heldBytes.addAndGet(-costOf(buffer));
    buffer.release();
    if (held <= readAheadBytes / 2 && paused.get() && paused.compareAndSet(true, false)) {
      bridge.requestRead();
    }
  }

  private static int costOf(ByteBuf buffer) {
    return Math.max(SMALLEST_BUFFER_COST, buffer.capacity());
  }

  /** An estimate, as the contract allows: nothing is promised while another thread reads. */
  @Override
  public int available() throws IOException {
    bridge.requireOpen();
    if (!readers.tryLock()) {
      return 0;
    }
    try {
      long bytes = current == null ? 0 : current.readableBytes();
      for (ByteBuf buffer : received) {
        bytes += buffer.readableBytes();
      }
      return (int) Math.min(Integer.MAX_VALUE, bytes);
    } finally {
      readers.unlock();
      if (discarding) {
        releaseAll();
      }
    }
  }

  @Override
  public void close() throws IOException {
    bridge.close();
  }

  /** Zero means no limit, as with {@code SO_TIMEOUT}. */
  void timeoutMillis(int millis) {
    timeoutMillis = millis;
  }

  void readAheadBytes(int bytes) {
    readAheadBytes = bytes;
  }

  /** From now on everything received is thrown away, and a waiting reader is woken. Any thread. */
  void discard() {
    discarding = true;
    reader.wake();
    releaseAll();
  }

  /** The application wants no more input: reads return -1, the peer may go on sending. */
  void shutdown() {
    if (end == null) {
      end = new End(null);
    }
    discard();
    if (paused.compareAndSet(true, false)) {
      bridge.requestRead();
    }
  }

  private void releaseAll() {
    ByteBuf buffer;
    while ((buffer = received.poll()) != null) {
      buffer.release();
    }
    if (readers.tryLock()) {
      try {
        if (current != null) {
          current.release();
          current = null;
        }
      } finally {
        readers.unlock();
      }
    }
  }

  // ---- event loop only ----

  /** Takes over the buffer. */
  void receive(ByteBuf buffer) {
    if (discarding || !buffer.isReadable()) {
      buffer.release();
      return;
    }
    heldBytes.addAndGet(costOf(buffer));
    received.add(buffer);
    if (discarding) {
      releaseAll();
    }
  }

  /** A batch is complete: hands it to the reader, and asks for the next if there is room. */
  void batchReceived() {
    reader.wake();
    if (discarding || heldBytes.get() < readAheadBytes) {
      bridge.requestRead();
      return;
    }
    paused.set(true);
    // The reader may have drained between the test and the mark, when it saw no pause to end.
    if ((discarding || heldBytes.get() <= readAheadBytes / 2)
        && paused.compareAndSet(true, false)) {
      bridge.requestRead();
    }
  }

  /** Asking an ended channel for more breaks Netty's epoll transport, and cannot bring more. */
  boolean mayComeMore() {
    return !channelEnded;
  }

  /** The first end counts: an exception is followed by the closing it caused. */
  void end(@Nullable Throwable failure) {
    channelEnded = true;
    if (end == null) {
      end = new End(failure);
    }
    reader.wake();
  }
}
