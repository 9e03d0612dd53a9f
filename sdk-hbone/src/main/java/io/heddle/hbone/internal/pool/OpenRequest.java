// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One caller who wants one tunnel. The mutable fields are guarded by the lock of its target. */
final class OpenRequest {

  /** The first attempt and three more: a rolling restart can hit a tunnel more than once. */
  private static final int MAX_ATTEMPTS = 4;

  private final TunnelTarget target;
  private final ChannelHandler initializer;
  private final EventLoop preferred;
  private final BooleanSupplier mayConnect;
  private final Promise<Tunnel> promise;
  private final long deadlineNanos;

  private int attempts;
  private @Nullable PooledConnection refusedBy;
  private boolean watched;

  /**
   * A new request.
   *
   * @param mayConnect asked on the connection's loop, just before a CONNECT is sent
   */
  OpenRequest(
      TunnelTarget target,
      ChannelHandler initializer,
      EventLoop preferred,
      long patienceNanos,
      BooleanSupplier mayConnect) {
    this.target = target;
    this.initializer = initializer;
    this.preferred = preferred;
    this.mayConnect = mayConnect;
    this.promise = preferred.newPromise();
    this.deadlineNanos = preferred.ticker().nanoTime() + patienceNanos;
  }

  TunnelTarget target() {
    return target;
  }

  ChannelHandler initializer() {
    return initializer;
  }

  EventLoop preferred() {
    return preferred;
  }

  Future<Tunnel> future() {
    return promise;
  }

  boolean isDone() {
    return promise.isDone();
  }

  boolean isOverdue() {
    return nanosLeft() <= 0;
  }

  long nanosLeft() {
    return deadlineNanos - preferred.ticker().nanoTime();
  }

  /** False when another endpoint is faster: who asked this takes the request back. */
  boolean mayConnect() {
    return mayConnect.getAsBoolean();
  }

  /** Whether it may be tried once more after a connection surely did not process it. */
  boolean mayRetry() {
    return attempts < MAX_ATTEMPTS && !isDone() && !isOverdue();
  }

  void attempted() {
    attempts++;
  }

  void refusedBy(PooledConnection connection) {
    refusedBy = connection;
  }

  boolean wasRefusedBy(PooledConnection connection) {
    return refusedBy == connection;
  }

  /** True for the first caller only, who then looks after cancellation and deadline. */
  boolean startWatching() {
    boolean first = !watched;
    watched = true;
    return first;
  }

  /** Who gives up takes back what was asked of the peer. */
  void cancelsWith(Future<Tunnel> opening) {
    promise.addListener(
        done -> {
          if (done.isCancelled()) {
            opening.cancel(false);
          }
        });
  }

  /** A tunnel that nobody waits for any more is cut at once. */
  void succeed(Tunnel tunnel) {
    if (!promise.trySuccess(tunnel)) {
      ChannelFuture unused = tunnel.reset();
    }
  }

  void fail(Throwable cause) {
    promise.tryFailure(cause);
  }
}
