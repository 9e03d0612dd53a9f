// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.PromiseNotifier;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Stands between HTTP/2 and TLS and decides what shares a TLS record: small frames are copied
 * together, of whatever stream, and large payloads go through as they are. TLS itself would collect
 * bytes across the borders of buffers, which copies a quarter of a bulk transfer because each frame
 * header shifts the payload behind it.
 *
 * <p>It also stops flushes that have nothing to flush. The HTTP/2 handler flushes after every read;
 * through TLS even an empty flush costs a call into the engine. Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class RecordWriter extends ChannelOutboundHandlerAdapter {
  /** Below this a copy is cheaper than a record of its own. */
  static final int SMALL = 4096;

  /** RFC 8446 section 5.1: the most that one record carries. */
  private static final int RECORD = 1 << 14;

  private @Nullable ChannelHandlerContext context;
  private @Nullable ByteBuf record;

  /** The last small record, to be filled again: TLS is done with it when a flush returns. */
  private @Nullable ByteBuf spare;

  private @Nullable ChannelPromise recordPromise;
  private int lastSize = SMALL;
  private boolean written;
  private boolean ended;

  /**
   * The record under way, with room for so many bytes more. What is put into it is written before
   * anything that is written later. Once the channel is closed it goes nowhere.
   *
   * @param bytes at most a record
   */
  ByteBuf room(int bytes) {
    if (ended) {
      return Unpooled.wrappedBuffer(new byte[bytes]).clear();
    }
    ChannelHandlerContext ctx = context();
    ByteBuf current = record;
    if (current != null && current.readableBytes() + bytes > RECORD) {
      writeRecord(ctx);
      current = null;
    }
    if (current == null) {
      current = newRecord(ctx, Math.max(bytes, lastSize));
      record = current;
    }
    current.ensureWritable(bytes);
    return current;
  }

  private ByteBuf newRecord(ChannelHandlerContext ctx, int size) {
    ByteBuf last = spare;
    if (last != null && last.refCnt() == 1 && last.capacity() >= size) {
      spare = null;
      return last.clear();
    }
    return ctx.alloc().directBuffer(size, RECORD);
  }

  private ChannelHandlerContext context() {
    if (context == null) {
      throw new IllegalStateException("not in a pipeline");
    }
    return context;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.setWrapDataSize(0);
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (ended) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
    } else if (message instanceof ByteBuf bytes && bytes.readableBytes() <= SMALL) {
      try {
        room(bytes.readableBytes()).writeBytes(bytes);
      } finally {
        bytes.release();
      }
      complete(ctx, promise);
    } else {
      writeRecord(ctx);
      written = true;
      ctx.write(message, promise);
    }
  }

  private void complete(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (!promise.isVoid()) {
      if (recordPromise == null) {
        recordPromise = ctx.newPromise();
      }
      PromiseNotifier.cascade(recordPromise, promise);
    }
  }

  private void writeRecord(ChannelHandlerContext ctx) {
    ByteBuf full = record;
    if (full != null) {
      ChannelPromise promise = recordPromise;
      record = null;
      recordPromise = null;
      lastSize = full.readableBytes();
      written = true;
      if (full.capacity() <= SMALL) {
        keep(full.retain());
      }
      ctx.write(full, promise != null ? promise : ctx.voidPromise());
    }
  }

  private void keep(@Nullable ByteBuf buffer) {
    if (spare != null) {
      spare.release();
    }
    spare = buffer;
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    writeRecord(ctx);
    if (written) {
      written = false;
      ctx.flush();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    end();
  }

  /**
   * Nothing goes out any more, and nothing is kept. Who hears of the failure of a write may write
   * once more, even now: that must not be left behind either.
   */
  void end() {
    ended = true;
    keep(null);
    if (record != null) {
      record.release();
      record = null;
    }
    ChannelPromise unkept = recordPromise;
    recordPromise = null;
    if (unkept != null) {
      unkept.tryFailure(new ClosedChannelException());
    }
  }
}
