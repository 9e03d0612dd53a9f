// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.netty.PoolStatistics;

/** What there is now, added up over the targets by one thread. */
final class PoolCounts {

  private int targets;
  private int connections;
  private int leaving;
  private int connecting;
  private int waiting;
  private int tunnels;

  void add(Rotation rotation, boolean dialing, int waiters) {
    targets++;
    connections += rotation.size();
    leaving += rotation.leaving().size();
    connecting += dialing ? 1 : 0;
    waiting += waiters;
    tunnels += rotation.active();
  }

  PoolStatistics statistics(long connected, long dialsFailed, long retried) {
    return new PoolStatistics(
        targets,
        connections,
        leaving,
        connecting,
        waiting,
        tunnels,
        connected,
        dialsFailed,
        retried);
  }
}
