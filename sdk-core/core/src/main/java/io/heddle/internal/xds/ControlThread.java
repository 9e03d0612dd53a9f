// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread on which a client works, its own or that of a scheduler which has only one. */
final class ControlThread {

  private static final Logger LOG = LoggerFactory.getLogger(ControlThread.class);

  private final ScheduledExecutorService scheduler;
  private final boolean own;
  private volatile @Nullable Thread thread;

  ControlThread(@Nullable ScheduledExecutorService given) {
    own = given == null;
    scheduler = given == null ? newScheduler() : given;
  }

  private static ScheduledExecutorService newScheduler() {
    ScheduledThreadPoolExecutor scheduler =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "heddle-control-plane");
              thread.setDaemon(true);
              return thread;
            },
            // What the transport still brings to a client that was closed is let go where it comes
            // from: discarded, its buffers would be lost.
            (task, closed) -> task.run());
    scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    scheduler.setRemoveOnCancelPolicy(true);
    return scheduler;
  }

  ScheduledExecutorService scheduler() {
    return scheduler;
  }

  /** Runs a task on the thread. */
  void execute(Runnable task) {
    scheduler.execute(
        () -> {
          thread = Thread.currentThread();
          task.run();
        });
  }

  /**
   * Runs a last task and waits for it, and so for all that was begun before. On the thread itself
   * there is nothing to wait for: whoever is running there has to return first.
   */
  void close(Runnable last, Duration patience) {
    if (Thread.currentThread() == thread) {
      last.run();
      shutdown();
      return;
    }
    Future<?> done = scheduler.submit(last);
    shutdown();
    try {
      done.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.warn("A listener of the index still runs {} after the client was closed", patience);
    } catch (ExecutionException e) {
      LOG.warn("Closing the control-plane client failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void shutdown() {
    if (own) {
      scheduler.shutdown();
    }
  }
}
