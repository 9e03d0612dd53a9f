// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where the listeners of all sources run unless told otherwise. A thread exists only while a
 * listener does, so an idle source costs none, and a slow listener holds up neither the renewal of
 * its own source nor the listeners of another.
 */
public final class ListenerThreads {

  private static final long KEPT_IDLE_MILLIS = 500;
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Executor SHARED =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          KEPT_IDLE_MILLIS,
          TimeUnit.MILLISECONDS,
          new SynchronousQueue<>(),
          ListenerThreads::daemon);

  private ListenerThreads() {}

  /** The executor of the process; each source uses at most one of its threads at a time. */
  public static Executor shared() {
    return SHARED;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "heddle-identity-listener-" + NUMBER.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
