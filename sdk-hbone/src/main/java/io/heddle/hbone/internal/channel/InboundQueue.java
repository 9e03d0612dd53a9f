// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.channel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Received bytes that nobody has read yet. Their number is bounded by the stream's flow-control
 * window; small pieces are copied together, so that they do not each hold on to the large buffer
 * they arrived in.
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
    if (size >= SMALL) {
      collector = null;
      buffers.add(data.retain());
      return;
    }
    ByteBuf tail = collector;
    if (tail == null || tail.writableBytes() < size) {
      tail = allocator.buffer(COLLECTED, COLLECTED);
      collector = tail;
      buffers.add(tail);
    }
    tail.writeBytes(data, data.readerIndex(), size);
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
