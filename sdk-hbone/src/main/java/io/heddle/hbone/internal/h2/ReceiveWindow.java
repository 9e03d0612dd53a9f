// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0
package io.heddle.hbone.internal.h2;

import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * How much the peer may send on one stream before it is read. It starts small, so that many tunnels
 * that nobody reads cost little, and follows the reader: it doubles when a window's worth was read
 * within about a round trip, and halves when that took much longer, or when the memory for it is
 * short. Event loop only.
 *
 * <p>Credit cannot be taken back from the peer (RFC 9113 section 6.9). Halving means that what is
 * read earns no new credit until the window is down to its new size, and only then the budget gets
 * its bytes back.
 */
final class ReceiveWindow {
  private final ReceiveWindows shared;
  private final Http2Stream stream;

  /** How much the window shall be larger than it was at first. */
  private int grown;

  /** What the budget gave for that: {@link #grown} at least, more while the peer has the credit. */
  private int reserved;

  private int unread;
  private long drained;
  private long nextLook;
  private long since;
  private boolean streamClosed;

  ReceiveWindow(ReceiveWindows shared, Http2Stream stream) {
    this.shared = shared;
    this.stream = stream;
    restart(shared.now());
  }

  /**
   * Bytes arrived.
   *
   * @param done how many of them went to their reader at once
   * @return whether the peer was told of new credit
   */
  boolean received(int bytes, int done) throws Http2Exception {
    unread += bytes - done;
    return count(done);
  }

  /**
   * Bytes that had to wait were read.
   *
   * @return whether the peer was told of new credit
   */
  boolean drained(int bytes) throws Http2Exception {
    unread -= bytes;
    return count(bytes);
  }

  /** Nothing arrives any more. What did may wait for its reader, and keeps its memory so long. */
  void streamClosed() {
    streamClosed = true;
    settle();
  }

  /** Bytes that had to wait were read after the stream was closed. */
  void drainedLate(int bytes) {
    // Who closes the tunnel on reading them has thrown the rest away, and these with it.
    unread = Math.max(0, unread - bytes);
    settle();
  }

  /** What was not read is thrown away. */
  void readerGone() {
    unread = 0;
    settle();
  }

  private boolean count(int bytes) throws Http2Exception {
    drained += bytes;
    return drained >= nextLook && !streamClosed && look();
  }

  private boolean look() throws Http2Exception {
    long now = shared.now();
    long elapsed = now - since;
    boolean told = false;
    if (elapsed > shared.tooLargeNanos() || mustShare()) {
      shrink();
      restart(now);
    } else if (drained < size() - step()) {
      nextLook += step();
    } else {
      // Three quarters are as much as a peer has at once that gets its credit back by halves.
      told = elapsed <= shared.tooSmallNanos() && grow();
      restart(now);
    }
    settle();
    return told;
  }

  private boolean grow() throws Http2Exception {
    int size = size();
    int more = (int) Math.min(size, (long) shared.largest() - size);
    int missing = grown + more - reserved;
    if (more <= 0 || (missing > 0 && !shared.budget().reserve(missing, reserved))) {
      return false;
    }
    reserved += Math.max(0, missing);
    grown += more;
    int before = flow().windowSize(stream);
    flow().incrementWindowSize(stream, more);
    return flow().windowSize(stream) != before;
  }

  private void shrink() throws Http2Exception {
    int less = Math.min(grown, size() / 2);
    if (less > 0) {
      grown -= less;
      flow().incrementWindowSize(stream, -less);
    }
  }

  /** Not before the last halving has shown in the budget. */
  private boolean mustShare() {
    return reserved == grown && shared.budget().isScarceFor(grown);
  }

  private void restart(long now) {
    since = now;
    drained = 0;
    nextLook = step();
  }

  /** A part of the window: a reader that slows down is noticed before he has read all of it. */
  private int step() {
    return Math.max(1, size() / 4);
  }

  private int size() {
    return flow().initialWindowSize(stream);
  }

  /** Gives the budget back what is not needed any more. */
  private void settle() {
    int needed = Math.min(reserved, streamClosed ? unread : Math.max(grown, beyondInitial()));
    if (needed < reserved) {
      shared.budget().release(reserved - needed);
      reserved = needed;
    }
  }

  /** What is unread and what the peer may still send, less the initial window. */
  private int beyondInitial() {
    int initial = size() - grown;
    return flow().windowSize(stream) + flow().unconsumedBytes(stream) - initial;
  }

  private Http2LocalFlowController flow() {
    return shared.flow();
  }
}
