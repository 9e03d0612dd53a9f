// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one key, and who waits for them.
 *
 * <ul>
 *   <li>At most one dial is under way. Its failure is the answer to everybody who waits then;
 *       nobody dials again by himself, only a later caller does.
 *   <li>Requests are served in the order they came. One that a connection surely did not process
 *       goes back to the front.
 *   <li>A connection carries at most what both ends allow, at any time; one that was full is used
 *       again as soon as it has credit.
 *   <li>A connection leaves the rotation by GOAWAY, by idleness (from the end of its last stream)
 *       or by closing, and is never used for a new tunnel then.
 *   <li>A pool without connections, dial and callers retires: its map entry goes, and who still
 *       holds it asks the map again.
 * </ul>
 *
 * <p>Decisions are made under a lock that is held for some list look-ups only; what they lead to
 * (opening, dialling, completing futures) is done after it is released, on the right event loop.
 */
final class TargetPool {

  private final TargetKey key;
  private final TunnelTarget sample;
  private final ConnectionPool pool;
  private final HboneSettings settings;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final WaitingLine waiting;
  private final Rotation rotation = new Rotation();
  private @Nullable Future<ClientConnection> dial;
  private boolean dialing;
  private boolean spareDialFailed;
  private boolean closed;
  private boolean retired;

  TargetPool(TargetKey key, TunnelTarget sample, ConnectionPool pool) {
    this.key = key;
    this.sample = sample;
    this.pool = pool;
    this.settings = pool.settings();
    this.waiting = new WaitingLine(settings.maxWaitingPerTarget());
  }

  /**
   * Takes a request, which ends by its promise.
   *
   * @param again whether it was tried before, and so goes first
   * @return false when this pool has retired
   */
  boolean submit(OpenRequest request, boolean again) {
    List<Runnable> effects = new ArrayList<>(2);
    lock.lock();
    try {
      if (retired) {
        return false;
      }
      take(request, again, effects);
    } finally {
      lock.unlock();
    }
    effects.forEach(Runnable::run);
    return true;
  }

  /** Drops requests that were cancelled, or that have waited too long while nothing is dialled. */
  void review() {
    decide(
        effects -> {
          prune(effects);
          settle(effects);
        });
  }

  /** No new tunnels; connections close when their last one ends. */
  void close() {
    decide(
        effects -> {
          closed = true;
          fail(waiting.takeAll(), ConnectionPool.closedException(), effects);
          for (PooledConnection connection : rotation.leaveAll()) {
            effects.add(
                () -> onLoop(connection.eventLoop(), connection.connection()::closeWhenIdle));
          }
          Future<ClientConnection> underWay = dial;
          if (underWay != null) {
            effects.add(() -> underWay.cancel(false));
          }
          dialEnded();
          settle(effects);
        });
  }

  /** After {@link #close}: cuts what is still open. */
  void reset() {
    decide(
        effects -> {
          for (PooledConnection connection : rotation.leaving()) {
            effects.add(() -> onLoop(connection.eventLoop(), connection.connection()::closeNow));
          }
        });
  }

  void count(PoolCounts counts) {
    decide(effects -> counts.add(rotation, dialing, waiting.size()));
  }

  // ---- decisions, under the lock

  private void decide(Consumer<List<Runnable>> decision) {
    List<Runnable> effects = new ArrayList<>(2);
    lock.lock();
    try {
      decision.accept(effects);
    } finally {
      lock.unlock();
    }
    effects.forEach(Runnable::run);
  }

  private void take(OpenRequest request, boolean again, List<Runnable> effects) {
    if (closed) {
      effects.add(() -> request.fail(ConnectionPool.closedException()));
      return;
    }
    if (!waiting.add(request, again)) {
      effects.add(() -> request.fail(Overload.tooManyWait(key, settings)));
      return;
    }
    settle(effects);
    if (waiting.holds(request, again) && request.startWatching()) {
      effects.add(() -> pool.watch(request));
    }
  }

  /** Brings the state to rest after any change. */
  private void settle(List<Runnable> effects) {
    assign(effects);
    if (wantsConnection()) {
      dialing = true;
      EventLoop loop = loopForDial();
      effects.add(() -> dial(loop));
    }
    if (waiting.isEmpty() && rotation.isEmpty() && !dialing && !retired) {
      retired = true;
      effects.add(() -> pool.forget(key, this));
    }
  }

  private void assign(List<Runnable> effects) {
    waiting.assign(
        rotation, mayGrow(), (request, connection) -> effects.add(() -> hand(request, connection)));
  }

  private boolean wantsConnection() {
    if (dialing || closed || !mayGrow() || rotation.grantsNothing()) {
      return false;
    }
    return !waiting.isEmpty() || (!spareDialFailed && rotation.runsLow(pool.sparePercent()));
  }

  private boolean mayGrow() {
    return rotation.size() < settings.maxConnectionsPerTarget();
  }

  private EventLoop loopForDial() {
    OpenRequest first = waiting.first();
    if (first != null && !rotation.isOn(first.preferred())) {
      return first.preferred();
    }
    return pool.nextLoop();
  }

  private void prune(List<Runnable> effects) {
    waiting.dropDone();
    // A dial has deadlines of its own, and its failure says more.
    List<OpenRequest> overdue = dialing ? List.of() : waiting.takeOverdue();
    if (!overdue.isEmpty()) {
      fail(overdue, Overload.waitedTooLong(key, rotation), effects);
    }
  }

  private static void fail(List<OpenRequest> requests, Throwable cause, List<Runnable> effects) {
    requests.forEach(request -> effects.add(() -> request.fail(cause)));
  }

  private void dialEnded() {
    dialing = false;
    dial = null;
  }

  private void leave(PooledConnection connection, List<Runnable> effects) {
    if (rotation.leave(connection)) {
      effects.add(connection.connection()::closeWhenIdle);
    }
  }

  private void update(PooledConnection connection, List<Runnable> effects) {
    connection.refresh();
    if (!connection.connection().accepting()) {
      leave(connection, effects);
    }
    settle(effects);
    effects.add(connection.idleWatch()::look);
  }

  // ---- dialling

  private void dial(EventLoop loop) {
    Future<ClientConnection> attempt;
    try {
      attempt = pool.connect(loop, sample);
    } catch (RejectedExecutionException e) {
      dialFailed(loopGone());
      return;
    }
    decide(
        effects -> {
          if (closed) {
            effects.add(() -> attempt.cancel(false));
          } else if (dialing) {
            dial = attempt;
          }
        });
    attempt.addListener(done -> dialled(attempt));
  }

  private void dialled(Future<ClientConnection> attempt) {
    if (!attempt.isSuccess()) {
      dialFailed(attempt.cause());
      return;
    }
    ClientConnection connection = attempt.getNow();
    if (!onLoop(connection.eventLoop(), () -> adopt(connection))) {
      dialFailed(loopGone());
    }
  }

  private void dialFailed(Throwable cause) {
    pool.counters().dialFailed();
    decide(
        effects -> {
          if (!closed) {
            dialEnded();
            spareDialFailed = waiting.isEmpty();
            fail(waiting.takeAll(), cause, effects);
            settle(effects);
          }
        });
  }

  // ---- on the event loop of the connection

  private void adopt(ClientConnection connection) {
    pool.counters().connected();
    PooledConnection pooled =
        new PooledConnection(connection, settings.idleTimeout().toNanos(), this::idle);
    connection.listener(() -> changed(pooled));
    decide(
        effects -> {
          rotation.add(pooled);
          if (closed) {
            leave(pooled, effects);
          } else {
            dialEnded();
            spareDialFailed = false;
          }
          pooled.refresh();
          assign(effects);
          prune(effects);
          update(pooled, effects);
        });
    connection.closed().addListener(done -> gone(pooled));
  }

  private void hand(OpenRequest request, PooledConnection connection) {
    if (!onLoop(connection.eventLoop(), () -> open(request, connection))) {
      request.fail(loopGone());
    }
  }

  private void open(OpenRequest request, PooledConnection pooled) {
    ClientConnection connection = pooled.connection();
    if (request.isDone()) {
      promiseKept(pooled);
    } else if (!connection.accepting() || connection.streamCredit() < 1) {
      promiseKept(pooled);
      pool.submit(request, true);
    } else if (!request.mayConnect()) {
      promiseKept(pooled);
    } else {
      TunnelTarget target = request.target();
      request.attempted();
      Future<Tunnel> opening =
          connection.open(target.authority(), target.headers(), request.initializer());
      promiseKept(pooled);
      request.cancelsWith(opening);
      opening.addListener(done -> opened(request, pooled, opening));
    }
  }

  private void opened(OpenRequest request, PooledConnection pooled, Future<Tunnel> opening) {
    if (opening.isSuccess()) {
      request.succeed(opening.getNow());
    } else if (opening.cause() instanceof TunnelException.NotProcessed && request.mayRetry()) {
      pool.counters().retried();
      request.refusedBy(pooled);
      pool.submit(request, true);
    } else {
      request.fail(opening.cause());
    }
  }

  private void promiseKept(PooledConnection pooled) {
    decide(
        effects -> {
          pooled.promiseKept();
          update(pooled, effects);
        });
  }

  private void changed(PooledConnection pooled) {
    decide(effects -> update(pooled, effects));
  }

  private void idle(PooledConnection pooled) {
    decide(
        effects -> {
          if (pooled.isUnused()) {
            leave(pooled, effects);
            settle(effects);
          }
        });
  }

  private void gone(PooledConnection pooled) {
    pooled.idleWatch().stop();
    decide(
        effects -> {
          rotation.remove(pooled);
          settle(effects);
        });
  }

  private static TunnelException loopGone() {
    return new TunnelException.Closed("the event loop of the connection is shut down");
  }

  /** False when the loop is shut down, and with it everything that lived on it. */
  private static boolean onLoop(EventLoop loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return true;
    }
    try {
      loop.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }
}
