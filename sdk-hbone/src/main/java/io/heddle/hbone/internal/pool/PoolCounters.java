// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.netty.PoolStatistics;
import java.util.concurrent.atomic.LongAdder;

/** What has happened since the pool was made. Thread-safe. */
final class PoolCounters {

  private final LongAdder connected = new LongAdder();
  private final LongAdder dialsFailed = new LongAdder();
  private final LongAdder retried = new LongAdder();

  void connected() {
    connected.increment();
  }

  void dialFailed() {
    dialsFailed.increment();
  }

  void retried() {
    retried.increment();
  }

  PoolStatistics with(PoolCounts now) {
    return now.statistics(connected.sum(), dialsFailed.sum(), retried.sum());
  }
}
