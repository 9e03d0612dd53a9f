// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

/** What one stream of a connection is told about itself. Event loop only. */
interface StreamEvents {

  /** A header block after the one that created the stream. */
  void onHeaders(Http2Headers headers, boolean end) throws Http2Exception;

  /**
   * Bytes arrived; the buffer stays the caller's.
   *
   * @return for how many of them the peer may have its credit back now
   */
  int onData(ByteBuf data) throws Http2Exception;

  /** The peer ended its half. */
  void onEnd();

  /** What was read from the wire together is all delivered. */
  void onReadComplete();

  /** The peer cut the stream. */
  void onReset(long code);

  /** We are about to cut the stream, because of what the peer sent on it. */
  void onStreamError(Http2Exception error);

  /** The stream is gone, for whatever reason. Comes last, and once. */
  void onClosed();
}
