// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0
package io.heddle.hbone.internal.h2;

import io.heddle.hbone.HboneSettings;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;

/** What the {@link ReceiveWindow}s of one connection have in common. Event loop only. */
final class ReceiveWindows {
  /** Below this a turn of a busy event loop, or a pause of the JVM, decides instead of the wire. */
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Http2LocalFlowController flow;
  private final ReceiveBudget budget;
  private final RoundTrip roundTrip;
  private final Ticker ticker;
  private final int largest;

  ReceiveWindows(
      Http2LocalFlowController flow,
      ReceiveBudget budget,
      RoundTrip roundTrip,
      Ticker ticker,
      HboneSettings settings) {
    this.flow = flow;
    this.budget = budget;
    this.roundTrip = roundTrip;
    this.ticker = ticker;
    this.largest = settings.streamWindowBytes();
  }

  ReceiveWindow of(Http2Stream stream) {
    return new ReceiveWindow(this, stream);
  }

  Http2LocalFlowController flow() {
    return flow;
  }

  ReceiveBudget budget() {
    return budget;
  }

  int largest() {
    return largest;
  }

  long now() {
    return ticker.nanoTime();
  }

  /**
   * A window that is read within this time holds its sender back: he cannot fill one faster than
   * once a round trip. Twice that, since neither end answers at once.
   */
  long tooSmallNanos() {
    return Math.max(SHORTEST_NANOS, 2 * roundTrip.nanos());
  }

  /** A window that takes so long holds more than is of use; half of it still does not limit. */
  long tooLargeNanos() {
    return 4 * tooSmallNanos();
  }
}
