// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Tells when an expected number (of bytes, of connections) has arrived, wherever. */
final class Arrivals {

  private static final int LIMIT_SECONDS = 120;

  private final AtomicLong left = new AtomicLong();
  private volatile CompletableFuture<Long> whole = new CompletableFuture<>();

  void expect(long amount) {
    whole = new CompletableFuture<>();
    left.set(amount);
  }

  void add(long amount) {
    if (left.addAndGet(-amount) == 0) {
      whole.complete(System.nanoTime());
    }
  }

  void fail(Throwable cause) {
    whole.completeExceptionally(cause);
  }

  /** When the last one arrived, as {@link System#nanoTime}. */
  long await() throws Exception {
    return whole.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
