// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The tunnels whose streams are over and whose applications have not read everything yet. No
 * connection counts them any more, but they still need their event loop: to be read, and to be
 * closed.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What is closed tells by its own future.
public final class UnreadTunnels {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
  private final Promise<Void> read = GlobalEventExecutor.INSTANCE.newPromise();
  private volatile boolean ending;

  UnreadTunnels() {}

  void add(Channel channel) {
    if (channels.add(channel)) {
      channel
          .closeFuture()
          .addListener(
              closed -> {
                channels.remove(channel);
                checkRead();
              });
    }
  }

  /**
   * Waits 5 s for the rest to be read, and closes what is not in time. Called when no connection is
   * left.
   *
   * @param loops those of the connections
   * @return succeeds when the loops may end
   */
  public Future<Void> end(EventLoopGroup loops) {
    return end(loops, PATIENCE);
  }

  Future<Void> end(EventLoopGroup loops, Duration patience) {
    GlobalEventExecutor.INSTANCE.execute(() -> afterTheTurns(loops, patience));
    return read;
  }

  /** A connection may have ended in the middle of what its loop does, which adds tunnels here. */
  private void afterTheTurns(EventLoopGroup loops, Duration patience) {
    PromiseCombiner turns = new PromiseCombiner(GlobalEventExecutor.INSTANCE);
    try {
      for (EventExecutor loop : loops) {
        turns.add(loop.submit(() -> {}));
      }
    } catch (RejectedExecutionException loopsAreGone) {
      read.trySuccess(null);
      return;
    }
    Promise<Void> over = GlobalEventExecutor.INSTANCE.newPromise();
    turns.finish(over);
    over.addListener(done -> await(patience));
  }

  private void await(Duration patience) {
    ending = true;
    Future<?> end =
        GlobalEventExecutor.INSTANCE.schedule(
            () -> channels.forEach(Channel::close), patience.toNanos(), TimeUnit.NANOSECONDS);
    read.addListener(done -> end.cancel(false));
    checkRead();
  }

  private void checkRead() {
    if (ending && channels.isEmpty()) {
      read.trySuccess(null);
    }
  }
}
