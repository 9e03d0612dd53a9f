// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.netty.PoolStatistics;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * All pooled connections of one client. Thread-safe; nothing here blocks. An entry exists only
 * while its target has a connection, a dial or a caller.
 */
public final class ConnectionPool {

  private final EventLoopGroup group;
  private final HboneSettings settings;
  private final int sparePercent;
  private final Dialer dialer;
  private final long patienceNanos;

  private final ConcurrentMap<TargetKey, TargetPool> targets = new ConcurrentHashMap<>();
  private final PoolCounters counters = new PoolCounters();
  private final Promise<Void> terminated = GlobalEventExecutor.INSTANCE.newPromise();
  private volatile boolean closed;

  /**
   * Makes an empty pool.
   *
   * @param sparePercent of what one connection carries: when less is left, the next one is opened
   */
  public ConnectionPool(
      EventLoopGroup group, HboneSettings settings, int sparePercent, Dialer dialer) {
    this.group = group;
    this.settings = settings;
    this.sparePercent = sparePercent;
    this.dialer = dialer;
    // As long as a connection may take to come up: whoever waits for credit need not wait longer.
    this.patienceNanos =
        settings
            .connectTimeout()
            .plus(settings.tlsTimeout())
            .plus(settings.settingsTimeout())
            .toNanos();
  }

  /** Opens a tunnel; the future is notified on {@code preferred}. */
  public Future<Tunnel> open(TunnelTarget target, ChannelHandler initializer, EventLoop preferred) {
    OpenRequest request = request(target, initializer, preferred, () -> true);
    submit(request, false);
    return request.future();
  }

  /**
   * Opens a tunnel to the first of several endpoints that is reached; the future is notified on
   * {@code preferred}.
   */
  public Future<Tunnel> openFirst(
      List<TunnelTarget> targets, ChannelHandler initializer, EventLoop preferred) {
    long delayNanos = settings.connectionAttemptDelay().toNanos();
    return new EndpointRace(this, targets, initializer, preferred, delayNanos).start();
  }

  OpenRequest request(
      TunnelTarget target,
      ChannelHandler initializer,
      EventLoop preferred,
      BooleanSupplier mayConnect) {
    return new OpenRequest(target, initializer, preferred, patienceNanos, mayConnect);
  }

  /** What there is, and what has happened. */
  public PoolStatistics statistics() {
    PoolCounts counts = new PoolCounts();
    targets.values().forEach(target -> target.count(counts));
    return counters.with(counts);
  }

  /** Lets open tunnels end within the grace period, then cuts the rest. */
  public Future<Void> close(Duration grace) {
    closed = true;
    targets.values().forEach(TargetPool::close);
    if (!terminateIfEmpty()) {
      cutAfter(grace);
    }
    return terminated;
  }

  private void cutAfter(Duration grace) {
    try {
      Future<?> cut =
          group
              .next()
              .schedule(
                  () -> targets.values().forEach(TargetPool::reset),
                  grace.toNanos(),
                  TimeUnit.NANOSECONDS);
      terminated.addListener(done -> cut.cancel(false));
    } catch (RejectedExecutionException loopsAreGone) {
      // And with them every connection.
      terminated.trySuccess(null);
    }
  }

  void submit(OpenRequest request, boolean again) {
    TargetKey key = TargetKey.of(request.target());
    boolean taken = false;
    while (!taken) {
      if (closed) {
        request.fail(closedException());
        return;
      }
      TargetPool target =
          targets.computeIfAbsent(key, k -> new TargetPool(k, request.target(), this));
      taken = target.submit(request, again);
      if (!taken) {
        targets.remove(key, target);
      } else if (closed) {
        // Closing may have looked at the map before this entry was in it.
        target.close();
      }
    }
  }

  /** Looks after a request that has to wait: until it is done, or its time is over. */
  void watch(OpenRequest request) {
    if (request.isDone()) {
      return;
    }
    TargetKey key = TargetKey.of(request.target());
    Future<?> timer =
        request.preferred().schedule(() -> review(key), request.nanosLeft(), TimeUnit.NANOSECONDS);
    request
        .future()
        .addListener(
            done -> {
              timer.cancel(false);
              if (done.isCancelled()) {
                review(key);
              }
            });
  }

  Future<ClientConnection> connect(EventLoop loop, TunnelTarget target) {
    return dialer.connect(loop, target);
  }

  EventLoop nextLoop() {
    return group.next();
  }

  HboneSettings settings() {
    return settings;
  }

  int sparePercent() {
    return sparePercent;
  }

  PoolCounters counters() {
    return counters;
  }

  void forget(TargetKey key, TargetPool target) {
    targets.remove(key, target);
    terminateIfEmpty();
  }

  static TunnelException closedException() {
    return new TunnelException.Closed("the HBONE client is closed");
  }

  private void review(TargetKey key) {
    TargetPool target = targets.get(key);
    if (target != null) {
      target.review();
    }
  }

  private boolean terminateIfEmpty() {
    if (closed && targets.isEmpty()) {
      terminated.trySuccess(null);
      return true;
    }
    return false;
  }
}
