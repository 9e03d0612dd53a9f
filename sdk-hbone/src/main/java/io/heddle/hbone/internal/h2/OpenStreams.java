// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;

/** The streams of a connection that are open at one moment. */
final class OpenStreams {
  private OpenStreams() {}

  /** A list of its own, because what is done to one stream may close others. */
  static List<Http2Stream> of(Http2Connection connection) {
    List<Http2Stream> open = new ArrayList<>(connection.numActiveStreams());
    try {
      connection.forEachActiveStream(
          stream -> {
            open.add(stream);
            return true;
          });
    } catch (Http2Exception e) {
      throw new IllegalStateException("visiting streams cannot fail", e);
    }
    return open;
  }
}
