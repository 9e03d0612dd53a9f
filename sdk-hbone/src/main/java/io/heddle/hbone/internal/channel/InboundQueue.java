// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.channel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Received bytes that nobody has read yet. Their number is bounded by the stream's flow-control
 * window, and so is the memory: a piece that is small, or a small part of the buffer it arrived in,
 * is copied instead of holding on to all of that.
 */
final class InboundQueue {
  private static final int SMALL = 2048;
  private static final int COLLECTED = 8192;

  private final ArrayDeque<ByteBuf> buffers = new ArrayDeque<>(4);
  private @Nullable ByteBuf collector;

  boolean isEmpty() {
    return buffers.isEmpty();
  }

  /** Keeps the bytes; the caller still owns the buffer. */
  void add(ByteBuf data, ByteBufAllocator allocator) {
    int size = data.readableBytes();
    if (size >= SMALL && size >= capacity(data) / 2) {
      collector = null;
      buffers.add(data.retain());
      return;
    }
    ByteBuf tail = collector;
    if (tail == null || tail.writableBytes() < size) {
      int capacity = Math.max(COLLECTED, size);
      tail = allocator.buffer(capacity, capacity);
      collector = tail;
      buffers.add(tail);
    }
    tail.writeBytes(data, data.readerIndex(), size);
  }

  /** What is kept from being used again as long as the piece is. */
  private static int capacity(ByteBuf piece) {
    ByteBuf whole = piece;
    while (whole.unwrap() != null) {
      whole = whole.unwrap();
    }
    return whole.capacity();
  }

  /** The oldest bytes, now the caller's; null when there are none. */
  @SuppressWarnings("ReferenceEquality") // Whether it is that very buffer.
  @Nullable ByteBuf poll() {
    ByteBuf head = buffers.poll();
    if (head == collector) {
      collector = null;
    }
    return head;
  }

  /** Throws everything away. */
  int release() {
    int bytes = 0;
    for (ByteBuf buffer = poll(); buffer != null; buffer = poll()) {
      bytes += buffer.readableBytes();
      buffer.release();
    }
    return bytes;
  }
}
