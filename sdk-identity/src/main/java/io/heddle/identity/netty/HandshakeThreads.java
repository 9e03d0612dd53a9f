// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads on which certificates are validated, so that a new peer does not stall a loop. */
final class HandshakeThreads {

  private static final AtomicInteger STARTED = new AtomicInteger();

  private static final long LONGEST_SECONDS = 5;

  private HandshakeThreads() {}

  /**
   * Daemon threads that end when idle. The queue has no limit of its own: a connection has at most
   * one task in it, and connections are limited by their handshake timeout.
   */
  static ExecutorService start() {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "heddle-handshake-" + STARTED.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Lets what runs end: its result goes to an event loop, which has to be there to take it. */
  static void end(ExecutorService threads) {
    threads.shutdown();
    try {
      threads.awaitTermination(LONGEST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
