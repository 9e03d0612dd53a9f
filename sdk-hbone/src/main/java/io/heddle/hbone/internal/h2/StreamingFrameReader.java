// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.netty.handler.codec.http2.Http2CodecUtil.FRAME_HEADER_LENGTH;
import static io.netty.handler.codec.http2.Http2Error.ENHANCE_YOUR_CALM;
import static io.netty.handler.codec.http2.Http2Error.FRAME_SIZE_ERROR;
import static io.netty.handler.codec.http2.Http2Exception.connectionError;
import static io.netty.handler.codec.http2.Http2Exception.isStreamError;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * Reads frames, and hands on the payload of a DATA frame as it arrives. A tunnel has no use for
 * whole frames, and a peer may send them a mebibyte long: waiting for the end would cost the
 * memory, the copies into one buffer and the time. Every other frame goes to Netty's reader, whole.
 *
 * <p>It also bounds header blocks by what they cost to collect: HPACK cannot be skipped, so a block
 * beyond the limit ends the connection (RFC 9113 section 10.5.1).
 */
final class StreamingFrameReader implements Http2FrameReader {
  private final DefaultHttp2FrameReader whole;
  private final long maxHeaderBlock;

  private int dataStream;
  private int dataLeft;
  private boolean dataEnds;
  private boolean inHeaderBlock;
  private long headerBlock;
  private boolean failed;

  StreamingFrameReader(int maxHeaderListBytes) {
    whole =
        new DefaultHttp2FrameReader(new DefaultHttp2HeadersDecoder(true, maxHeaderListBytes, -1));
    maxHeaderBlock = maxHeaderListBytes + (long) maxHeaderListBytes / 4;
  }

  @Override
  public void readFrame(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener listener)
      throws Http2Exception {
    if (failed) {
      input.skipBytes(input.readableBytes());
      return;
    }
    try {
      while (input.isReadable() && readSome(ctx, input, listener)) {
        // Each turn takes a frame, or a piece of one.
      }
    } catch (Http2Exception e) {
      failed = !isStreamError(e);
      throw e;
    } catch (RuntimeException e) {
      failed = true;
      throw e;
    }
  }

  private boolean readSome(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener listener)
      throws Http2Exception {
    if (dataLeft > 0) {
      readData(ctx, input, listener);
      return true;
    }
    if (input.readableBytes() < FRAME_HEADER_LENGTH) {
      return false;
    }
    int at = input.readerIndex();
    int length = input.getUnsignedMedium(at);
    byte type = input.getByte(at + 3);
    int flags = input.getUnsignedByte(at + 4);
    int streamId = input.getInt(at + 5) & Integer.MAX_VALUE;
    if (length > whole.maxFrameSize()) {
      throw connectionError(
          FRAME_SIZE_ERROR, "Frame length: %d exceeds maximum: %d", length, whole.maxFrameSize());
    }
    boolean padded = (flags & Http2Flags.PADDED) != 0;
    if (type == Http2FrameTypes.DATA && length > 0 && streamId > 0 && !padded && !inHeaderBlock) {
      input.skipBytes(FRAME_HEADER_LENGTH);
      dataStream = streamId;
      dataLeft = length;
      dataEnds = (flags & Http2Flags.END_STREAM) != 0;
      return true;
    }
    countHeaderBlock(type, length);
    if (input.readableBytes() < FRAME_HEADER_LENGTH + length) {
      return false;
    }
    whole.readFrame(ctx, input.readSlice(FRAME_HEADER_LENGTH + length), listener);
    endHeaderBlock(type, flags, length);
    return true;
  }

  private void readData(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener listener)
      throws Http2Exception {
    int size = Math.min(dataLeft, input.readableBytes());
    ByteBuf data = input.readSlice(size);
    // Before the listener, which may throw: the rest of the frame still has to be skipped.
    dataLeft -= size;
    listener.onDataRead(ctx, dataStream, data, 0, dataLeft == 0 && dataEnds);
  }

  /** Called for the same frame again while its payload is still on the way. */
  private void countHeaderBlock(byte type, int length) throws Http2Exception {
    if (isHeaderFrame(type) && headerBlock + length > maxHeaderBlock) {
      throw connectionError(
          ENHANCE_YOUR_CALM, "Header block exceeds %d bytes before its end", maxHeaderBlock);
    }
  }

  private void endHeaderBlock(byte type, int flags, int length) {
    if (isHeaderFrame(type)) {
      inHeaderBlock = (flags & Http2Flags.END_HEADERS) == 0;
      headerBlock = inHeaderBlock ? headerBlock + length : 0;
    }
  }

  private static boolean isHeaderFrame(byte type) {
    return type == Http2FrameTypes.HEADERS
        || type == Http2FrameTypes.CONTINUATION
        || type == Http2FrameTypes.PUSH_PROMISE;
  }

  @Override
  public Configuration configuration() {
    return whole.configuration();
  }

  @Override
  public void close() {
    whole.close();
  }
}
