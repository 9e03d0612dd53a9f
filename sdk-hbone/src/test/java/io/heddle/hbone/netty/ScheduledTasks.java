// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** Counts the timers of event loops, which Netty keeps to itself. */
final class ScheduledTasks {

  private ScheduledTasks() {}

  static int of(EventLoopGroup group) {
    int sum = 0;
    for (EventExecutor loop : group) {
      try {
        sum += loop.submit(() -> count(loop)).get(30, TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new AssertionError("cannot count the timers of " + loop, e);
      }
    }
    return sum;
  }

  private static int count(EventExecutor loop) throws ReflectiveOperationException {
    Field queue = AbstractScheduledEventExecutor.class.getDeclaredField("scheduledTaskQueue");
    queue.setAccessible(true);
    Collection<?> tasks = (Collection<?>) queue.get(loop);
    return tasks == null ? 0 : tasks.size();
  }
}
