// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelException.AllFailed;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One tunnel to whichever of several endpoints is reached first (RFC 8305 section 5): the next one
 * joins after a delay, or as soon as one has failed.
 *
 * <p>What races are the connections. A CONNECT is seen by an application, so the first connection
 * that could send one stops the others, and it is sent there alone. Only if it was surely not
 * processed do the others go on; any answer to it is the answer.
 *
 * <p>Confined to the event loop of the caller, but for {@link #claimed}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What follows from them comes by their listeners.
final class EndpointRace {
  private final ConnectionPool pool;
  private final ChannelHandler initializer;
  private final EventLoop loop;
  private final long delayNanos;
  private final Promise<Tunnel> promise;

  private final Deque<TunnelTarget> waiting;
  private final List<Entrant> running = new ArrayList<>(2);
  private final List<AllFailed.Attempt> failures = new ArrayList<>(2);
  private @Nullable Future<?> nextStart;

  /** Who may send the CONNECT. */
  private final AtomicReference<@Nullable Entrant> claimed = new AtomicReference<>();

  EndpointRace(
      ConnectionPool pool,
      List<TunnelTarget> targets,
      ChannelHandler initializer,
      EventLoop loop,
      long delayNanos) {
    this.pool = pool;
    this.waiting = new ArrayDeque<>(targets);
    this.initializer = initializer;
    this.loop = loop;
    this.delayNanos = delayNanos;
    this.promise = loop.newPromise();
  }

  Future<Tunnel> start() {
    promise.addListener(done -> stop());
    if (loop.inEventLoop()) {
      startNext();
    } else {
      loop.execute(this::startNext);
    }
    return promise;
  }

  private void startNext() {
    cancelNextStart();
    TunnelTarget target = waiting.poll();
    if (promise.isDone() || target == null) {
      return;
    }
    if (!waiting.isEmpty()) {
      nextStart = loop.schedule(this::startNext, delayNanos, TimeUnit.NANOSECONDS);
    }
    Entrant entrant = new Entrant(target);
    running.add(entrant);
    entrant.start();
  }

  private void cancelNextStart() {
    if (nextStart != null) {
      nextStart.cancel(false);
      nextStart = null;
    }
  }

  /** The others make way, in the order in which they would go on. */
  private void standBack(Entrant winner) {
    if (claimed.get() != winner || !running.contains(winner)) {
      return;
    }
    cancelNextStart();
    for (int i = running.size() - 1; i >= 0; i--) {
      Entrant other = running.get(i);
      if (other != winner) {
        running.remove(i);
        waiting.addFirst(other.target);
        other.giveUp();
      }
    }
  }

  /** Too late to connect, unless the winner has failed since: then it starts once more. */
  private void cameLate(Entrant entrant) {
    Entrant winner = claimed.get();
    boolean overtaken = winner != null && running.contains(winner);
    if (!overtaken && running.remove(entrant)) {
      claimed.compareAndSet(winner, null);
      waiting.addFirst(entrant.target);
      entrant.giveUp();
      startNext();
    }
  }

  private void ended(Entrant entrant, Future<Tunnel> opening) {
    if (!running.remove(entrant)) {
      if (opening.isSuccess()) {
        // It was told to give up in the moment in which its answer came.
        opening.getNow().reset();
      }
      return;
    }
    if (opening.isSuccess()) {
      if (!promise.trySuccess(opening.getNow())) {
        opening.getNow().reset();
      }
      return;
    }
    Throwable cause = opening.cause();
    if (isAnswer(cause)) {
      promise.tryFailure(cause);
      return;
    }
    failures.add(new AllFailed.Attempt(entrant.target.address(), cause));
    claimed.compareAndSet(entrant, null);
    if (running.isEmpty() && waiting.isEmpty()) {
      promise.tryFailure(new AllFailed(failures));
    } else {
      startNext();
    }
  }

  /** The peer's application may have seen the CONNECT, or this client is closed. */
  private static boolean isAnswer(Throwable cause) {
    return cause instanceof TunnelException.Refused
        || cause instanceof TunnelException.Reset
        || cause instanceof TunnelException.ConnectionLost
        || cause instanceof TunnelException.Closed
        || (cause instanceof TunnelException.ConnectFailed failed
            && failed.phase() == TunnelException.Phase.CONNECT_RESPONSE);
  }

  private void stop() {
    cancelNextStart();
    waiting.clear();
    List<Entrant> losers = List.copyOf(running);
    running.clear();
    losers.forEach(Entrant::giveUp);
  }

  private final class Entrant {
    private final TunnelTarget target;
    private final OpenRequest request;

    Entrant(TunnelTarget target) {
      this.target = target;
      this.request = pool.request(target, initializer, loop, this::claim);
    }

    void start() {
      request.future().addListener((Future<Tunnel> done) -> ended(this, done));
      pool.submit(request, false);
    }

    /** On the event loop of a connection that could take the CONNECT now. */
    private boolean claim() {
      if (claimed.get() == this) {
        return true;
      }
      boolean first = claimed.compareAndSet(null, this);
      try {
        loop.execute(
            () -> {
              if (first) {
                standBack(this);
              } else {
                cameLate(this);
              }
            });
      } catch (RejectedExecutionException callerIsGone) {
        return false;
      }
      return first;
    }

    void giveUp() {
      request.future().cancel(false);
    }
  }
}
