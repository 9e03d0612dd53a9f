// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.netty.handler.codec.http2.Http2CodecUtil.FRAME_HEADER_LENGTH;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.util.internal.ObjectUtil;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes DATA frames straight from the outbound buffers of channels: what was flushed together
 * becomes one frame, small ones copied into the record under way, without a promise per piece. One
 * for all streams of a connection; event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class DataFrames {
  private final ChannelHandlerContext ctx;
  private final RecordWriter records;
  private final Sum sum = new Sum();
  private final Pieces pieces = new Pieces();

  DataFrames(ChannelHandlerContext ctx, RecordWriter records) {
    this.ctx = ctx;
    this.records = records;
  }

  /** How many bytes are flushed. */
  int flushedBytes(ChannelOutboundBuffer out) {
    if (out.size() == 1 && out.current() instanceof ByteBuf only) {
      return only.readableBytes();
    }
    sum.bytes = 0;
    visit(out, sum);
    return (int) Math.min(Integer.MAX_VALUE, sum.bytes);
  }

  /**
   * Writes one frame; its bytes stay in the buffer until {@link #remove}.
   *
   * @param mayEnd whether the stream ends after the last flushed byte
   * @return whether this frame was the last of the stream
   */
  boolean write(int streamId, ChannelOutboundBuffer out, int bytes, boolean mayEnd) {
    ObjectUtil.checkPositiveOrZero(bytes, "bytes");
    boolean copy = bytes <= RecordWriter.SMALL;
    ByteBuf record = records.room(FRAME_HEADER_LENGTH + (copy ? bytes : 0));
    int at = record.writerIndex();
    record.writerIndex(at + FRAME_HEADER_LENGTH);
    boolean ends = mayEnd;
    if (copy && isAll(out, bytes)) {
      ByteBuf only = (ByteBuf) out.current();
      record.writeBytes(only, only.readerIndex(), bytes);
    } else {
      pieces.begin(bytes, copy ? record : null);
      visit(out, pieces);
      ends &= pieces.whole == out.size();
    }
    fillHeader(record, at, streamId, bytes, ends);
    for (int i = 0; i < pieces.count; i++) {
      ctx.write(pieces.take(i), ctx.voidPromise());
    }
    pieces.count = 0;
    return ends;
  }

  /** A lone small message, the usual case of requests and answers, needs no visitor. */
  private static boolean isAll(ChannelOutboundBuffer out, int bytes) {
    return out.size() == 1
        && out.current() instanceof ByteBuf only
        && only.readableBytes() == bytes;
  }

  /** Writes the empty frame that ends a stream. */
  void writeEnd(int streamId) {
    ByteBuf record = records.room(FRAME_HEADER_LENGTH);
    int at = record.writerIndex();
    record.writerIndex(at + FRAME_HEADER_LENGTH);
    fillHeader(record, at, streamId, 0, true);
  }

  /**
   * Takes bytes out of the buffer, and the empty messages after them. Completing their promises
   * runs foreign code, which may even close the channel: the buffer is asked anew each time.
   */
  static void remove(ChannelOutboundBuffer out, int bytes) {
    int left = bytes;
    while (out.current() instanceof ByteBuf message) {
      int size = message.readableBytes();
      if (size > left) {
        if (left > 0) {
          message.skipBytes(left);
          out.progress(left);
        }
        return;
      }
      left -= size;
      out.remove();
    }
  }

  private static void fillHeader(ByteBuf record, int at, int streamId, int length, boolean ends) {
    record.setMedium(at, length);
    record.setByte(at + 3, Http2FrameTypes.DATA);
    record.setByte(at + 4, ends ? Http2Flags.END_STREAM : 0);
    record.setInt(at + 5, streamId);
  }

  private static void visit(
      ChannelOutboundBuffer out, ChannelOutboundBuffer.MessageProcessor processor) {
    try {
      out.forEachFlushedMessage(processor);
    } catch (Exception e) {
      throw new IllegalStateException("visiting buffers cannot fail", e);
    }
  }

  private static final class Sum implements ChannelOutboundBuffer.MessageProcessor {
    private long bytes;

    @Override
    public boolean processMessage(Object message) {
      bytes += ((ByteBuf) message).readableBytes();
      return true;
    }
  }

  /** Collects the first so many bytes, copied into one buffer or as retained pieces. */
  private static final class Pieces implements ChannelOutboundBuffer.MessageProcessor {
    private ByteBuf[] buffers = new ByteBuf[16];
    private int count;
    private int left;
    private int whole;
    private @Nullable ByteBuf copy;

    void begin(int bytes, @Nullable ByteBuf target) {
      left = bytes;
      count = 0;
      whole = 0;
      copy = target;
    }

    @Override
    public boolean processMessage(Object message) {
      ByteBuf buffer = (ByteBuf) message;
      int size = Math.min(left, buffer.readableBytes());
      if (size < buffer.readableBytes() && size == 0) {
        return false;
      }
      left -= size;
      boolean all = size == buffer.readableBytes();
      if (all) {
        whole++;
      }
      if (copy != null) {
        copy.writeBytes(buffer, buffer.readerIndex(), size);
      } else if (size > 0) {
        // A piece of its own: the message's indices stay as they are until it is removed.
        add(buffer.retainedSlice(buffer.readerIndex(), size));
      }
      return all;
    }

    private void add(ByteBuf piece) {
      if (count == buffers.length) {
        buffers = Arrays.copyOf(buffers, count * 2);
      }
      buffers[count++] = piece;
    }

    @SuppressWarnings("NullAway") // The slot is read once, and must not keep the buffer alive.
    ByteBuf take(int i) {
      ByteBuf piece = buffers[i];
      buffers[i] = null;
      return piece;
    }
  }
}
