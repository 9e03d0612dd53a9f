// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.internal.h2.ClientConnection;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a connection has carried nothing for some time, counted from the end of its last
 * stream. One timer a connection at most, not one a tunnel: when it fires it looks how long is
 * left. Event loop of the connection only.
 */
final class IdleWatch {

  private final ClientConnection connection;
  private final long timeoutNanos;
  private final Runnable onIdle;

  private long idleSinceNanos;
  private boolean busy;
  private boolean stopped;
  private @Nullable Future<?> timer;

  IdleWatch(ClientConnection connection, long timeoutNanos, Runnable onIdle) {
    this.connection = connection;
    this.timeoutNanos = timeoutNanos;
    this.onIdle = onIdle;
    this.idleSinceNanos = now();
  }

  /** To be called after each change of the number of streams. */
  void look() {
    boolean nowBusy = connection.activeStreams() > 0;
    if (busy && !nowBusy) {
      idleSinceNanos = now();
    }
    busy = nowBusy;
    if (!busy && timer == null && !stopped) {
      fireIn(timeoutNanos);
    }
  }

  void stop() {
    stopped = true;
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private void fired() {
    timer = null;
    long left = timeoutNanos - (now() - idleSinceNanos);
    if (busy) {
      return;
    }
    if (left > 0) {
      fireIn(left);
    } else {
      onIdle.run();
    }
  }

  private void fireIn(long nanos) {
    timer = connection.eventLoop().schedule(this::fired, nanos, TimeUnit.NANOSECONDS);
  }

  private long now() {
    return connection.eventLoop().ticker().nanoTime();
  }
}
