// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one target: those that take tunnels, and those that leave and only finish what
 * they carry. Guarded by the lock of the target.
 */
final class Rotation {

  private final List<PooledConnection> taking = new ArrayList<>(2);
  private final Set<PooledConnection> leaving = new LinkedHashSet<>(2);

  void add(PooledConnection connection) {
    taking.add(connection);
  }

  void addLeaving(PooledConnection connection) {
    leaving.add(connection);
  }

  /** False when it was not in rotation any more. */
  boolean leave(PooledConnection connection) {
    return taking.remove(connection) && leaving.add(connection);
  }

  List<PooledConnection> leaveAll() {
    List<PooledConnection> all = List.copyOf(taking);
    taking.clear();
    leaving.addAll(all);
    return all;
  }

  void remove(PooledConnection connection) {
    taking.remove(connection);
    leaving.remove(connection);
  }

  boolean isEmpty() {
    return taking.isEmpty() && leaving.isEmpty();
  }

  int size() {
    return taking.size();
  }

  List<PooledConnection> leaving() {
    return List.copyOf(leaving);
  }

  int active() {
    return active(taking) + active(leaving);
  }

  /**
   * For a request: a connection on its own event loop saves two changes of thread, else the least
   * loaded one is best. One that has just refused it is taken only when there can be no other.
   */
  @Nullable PooledConnection choose(OpenRequest request, boolean mayGrow) {
    PooledConnection best = null;
    PooledConnection lastResort = null;
    for (PooledConnection candidate : taking) {
      if (candidate.available() <= 0) {
        continue;
      }
      if (request.wasRefusedBy(candidate)) {
        lastResort = candidate;
      } else if (best == null || isBetter(candidate, best, request.preferred())) {
        best = candidate;
      }
    }
    return best == null && !mayGrow ? lastResort : best;
  }

  /** No tunnel can be opened anywhere. */
  boolean isExhausted() {
    return available() <= 0;
  }

  /**
   * The peer grants no stream at all on a connection that carries none: one more connection would
   * only bear one more refusal.
   */
  boolean grantsNothing() {
    for (PooledConnection connection : taking) {
      if (connection.isUnused() && connection.available() <= 0) {
        return true;
      }
    }
    return false;
  }

  /** Less is left than the given share of what one connection carries. */
  boolean runsLow(int sparePercent) {
    int capacity = 0;
    for (PooledConnection connection : taking) {
      capacity = Math.max(capacity, connection.capacity());
    }
    return available() < (long) capacity * sparePercent / 100;
  }

  boolean isOn(EventLoop loop) {
    for (PooledConnection connection : taking) {
      if (connection.eventLoop() == loop) {
        return true;
      }
    }
    return false;
  }

  private int available() {
    int sum = 0;
    for (PooledConnection connection : taking) {
      sum += connection.available();
    }
    return sum;
  }

  private static boolean isBetter(PooledConnection one, PooledConnection other, EventLoop loop) {
    boolean near = one.eventLoop() == loop;
    if (near != (other.eventLoop() == loop)) {
      return near;
    }
    return one.load() < other.load();
  }

  private static int active(Iterable<PooledConnection> connections) {
    int sum = 0;
    for (PooledConnection connection : connections) {
      sum += connection.active();
    }
    return sum;
  }
}
