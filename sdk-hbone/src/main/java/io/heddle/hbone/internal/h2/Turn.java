// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;

/**
 * What the tunnels of one connection do in one turn of its event loop: which were read from, which
 * have something to write, and when the connection is flushed for all of them.
 *
 * <p>While a batch is read from the wire one flush follows the batch; outside of it one flush is
 * queued behind whatever else this turn of the loop still does. Many tunnels thus share TLS records
 * and system calls, and a lone one waits for nobody.
 */
final class Turn {
  /**
   * So many tunnels read from are let go on, and what they answer is sent, before more is read:
   * both ends of a busy connection then work at the same time instead of in turns.
   */
  private static final int ENOUGH_TO_GO_ON = 8;

  private final List<StreamEvents> touched = new ArrayList<>();
  private final List<StreamTunnel> ready = new ArrayList<>();
  private boolean reading;
  private boolean flushQueued;

  void beginReading() {
    reading = true;
  }

  void endReading() {
    reading = false;
  }

  void touched(StreamEvents stream) {
    touched.add(stream);
  }

  boolean isTimeToGoOn() {
    return touched.size() >= ENOUGH_TO_GO_ON;
  }

  void completeReads() {
    for (int i = 0; i < touched.size(); i++) {
      touched.get(i).onReadComplete();
    }
    touched.clear();
  }

  void ready(StreamTunnel tunnel) {
    ready.add(tunnel);
  }

  void announceOutput() {
    for (int i = 0; i < ready.size(); i++) {
      ready.get(i).announce();
    }
    ready.clear();
  }

  /** Queues a flush, unless one is queued or follows the batch that is read. */
  void requestFlush(EventExecutor loop, Runnable flush) {
    if (!reading && !flushQueued) {
      flushQueued = true;
      loop.execute(flush);
    }
  }

  void flushBegins() {
    flushQueued = false;
  }
}
