// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a tunnel to one target, served in the order of the calls. Guarded by the lock of
 * the target.
 */
final class WaitingLine {

  private final Deque<OpenRequest> waiting = new ArrayDeque<>(2);
  private final int most;

  WaitingLine(int most) {
    this.most = most;
  }

  /**
   * Lines up.
   *
   * @param again whether it was served before, in vain, and so goes first
   * @return false when too many wait already
   */
  boolean add(OpenRequest request, boolean again) {
    if (again) {
      waiting.addFirst(request);
      return true;
    }
    return waiting.size() < most && waiting.add(request);
  }

  /** Whether a request that was just added is still there. */
  boolean holds(OpenRequest request, boolean again) {
    return (again ? waiting.peekFirst() : waiting.peekLast()) == request;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  @Nullable OpenRequest first() {
    return waiting.peekFirst();
  }

  /** Gives everybody a connection for whom there is one. */
  void assign(
      Rotation rotation, boolean mayGrow, BiConsumer<OpenRequest, PooledConnection> served) {
    // Whoever may not use what is there (it refused him) does not hold up those behind him.
    Deque<OpenRequest> passedOver = new ArrayDeque<>(1);
    while (!waiting.isEmpty() && !rotation.isExhausted()) {
      OpenRequest request = waiting.removeFirst();
      if (request.isDone()) {
        continue;
      }
      PooledConnection connection = rotation.choose(request, mayGrow);
      if (connection == null) {
        passedOver.addFirst(request);
      } else {
        connection.promise();
        served.accept(request, connection);
      }
    }
    passedOver.forEach(waiting::addFirst);
  }

  void dropDone() {
    waiting.removeIf(OpenRequest::isDone);
  }

  /** Takes out whose time is over. */
  List<OpenRequest> takeOverdue() {
    List<OpenRequest> overdue = waiting.stream().filter(OpenRequest::isOverdue).toList();
    waiting.removeAll(overdue);
    return overdue;
  }

  /** Takes out everybody. */
  List<OpenRequest> takeAll() {
    List<OpenRequest> all = new ArrayList<>(waiting);
    waiting.clear();
    return all;
  }
}
