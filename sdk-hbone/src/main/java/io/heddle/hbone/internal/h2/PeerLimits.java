// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.netty.handler.codec.http2.Http2Error.ENHANCE_YOUR_CALM;
import static io.netty.handler.codec.http2.Http2Exception.connectionError;

import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * How much work without use a peer may cause on one connection (RFC 9113 section 10.5). Event loop
 * only.
 */
final class PeerLimits {
  /** Control frames answered while the peer reads none of the answers. */
  private static final int BLOCKED_CONTROL_FRAMES = 1_000;

  /** DATA frames in a row that carry nothing; peers' own limit is 100 in all. */
  private static final int EMPTY_DATA_FRAMES = 100;

  /** Streams reset unused, or for the peer's errors: so many times the streams it may have open. */
  private static final int RESETS_PER_STREAM = 10;

  private static final long RESET_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Ticker ticker;
  private final long maxResets;
  private long resetPeriodStart;
  private long resets;
  private int blockedControlFrames;
  private int emptyDataFrames;

  PeerLimits(Ticker ticker, int streams) {
    this.ticker = ticker;
    this.maxResets = (long) RESETS_PER_STREAM * streams;
    this.resetPeriodStart = ticker.nanoTime();
  }

  void countReset() throws Http2Exception {
    long now = ticker.nanoTime();
    if (now - resetPeriodStart > RESET_PERIOD_NANOS) {
      resetPeriodStart = now;
      resets = 0;
    }
    if (++resets > maxResets) {
      throw connectionError(ENHANCE_YOUR_CALM, "More than %d resets in 30 s", maxResets);
    }
  }

  void countControlFrame(boolean writable) throws Http2Exception {
    blockedControlFrames = writable ? 0 : blockedControlFrames + 1;
    if (blockedControlFrames > BLOCKED_CONTROL_FRAMES) {
      throw connectionError(ENHANCE_YOUR_CALM, "Control frames whose answers are not read");
    }
  }

  void countData(int bytes, boolean end) throws Http2Exception {
    emptyDataFrames = bytes > 0 || end ? 0 : emptyDataFrames + 1;
    if (emptyDataFrames > EMPTY_DATA_FRAMES) {
      throw connectionError(ENHANCE_YOUR_CALM, "Empty DATA frames without end");
    }
  }
}
