// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Time that passes only when a test says so: a wall clock, and a scheduler on a monotonic clock
 * that the wall clock can jump away from. For one thread.
 */
public final class ManualTime {

  private final ManualScheduler scheduler = new ManualScheduler();
  private final Clock clock = new WallClock();
  private long elapsedNanos;
  private long order;
  private volatile Instant wall;

  /** Time that stands still at {@code start}. */
  public ManualTime(Instant start) {
    this.wall = start;
  }

  /** The wall clock. */
  public Clock clock() {
    return clock;
  }

  /** A scheduler whose tasks run inside {@link #elapse}. */
  public ScheduledExecutorService scheduler() {
    return scheduler;
  }

  /** What the wall clock says. */
  public Instant now() {
    return wall;
  }

  /** Lets both clocks run, and each task when its time has come. */
  public void elapse(Duration duration) {
    long end = elapsedNanos + duration.toNanos();
    while (!scheduler.tasks.isEmpty() && scheduler.tasks.peek().dueNanos <= end) {
      Task<?> task = scheduler.tasks.remove();
      moveTo(Math.max(elapsedNanos, task.dueNanos));
      task.run();
    }
    moveTo(end);
  }

  /** Steps the wall clock alone, as a correction of the clock or a suspended machine does. */
  public void jump(Duration step) {
    wall = wall.plus(step);
  }

  /** How many tasks wait for their time. */
  public int pendingTasks() {
    return scheduler.tasks.size();
  }

  private void moveTo(long nanos) {
    wall = wall.plusNanos(nanos - elapsedNanos);
    elapsedNanos = nanos;
  }

  private final class WallClock extends Clock {

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("one zone is enough here");
    }

    @Override
    public Instant instant() {
      return wall;
    }
  }

  private final class Task<T> extends FutureTask<T> implements ScheduledFuture<T> {

    private final long dueNanos;
    private final long number = order++;

    Task(Callable<T> work, long dueNanos) {
      super(work);
      this.dueNanos = dueNanos;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      scheduler.tasks.remove(this);
      return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - elapsedNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  private final class ManualScheduler extends AbstractExecutorService
      implements ScheduledExecutorService {

    private final PriorityQueue<Task<?>> tasks =
        new PriorityQueue<>(
            Comparator.<Task<?>>comparingLong(task -> task.dueNanos)
                .thenComparingLong(task -> task.number));
    private boolean shutdown;

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
      return schedule(
          () -> {
            command.run();
            return null;
          },
          delay,
          unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
      Task<V> task = new Task<>(callable, elapsedNanos + unit.toNanos(delay));
      tasks.add(task);
      return task;
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(
        Runnable command, long initialDelay, long period, TimeUnit unit) {
      throw new UnsupportedOperationException("schedule each run");
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable command, long initialDelay, long delay, TimeUnit unit) {
      throw new UnsupportedOperationException("schedule each run");
    }

    @Override
    public void execute(Runnable command) {
      schedule(command, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public void shutdown() {
      shutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      shutdown = true;
      List<Runnable> left = List.copyOf(tasks);
      tasks.clear();
      return left;
    }

    @Override
    public boolean isShutdown() {
      return shutdown;
    }

    @Override
    public boolean isTerminated() {
      return shutdown && tasks.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return isTerminated();
    }
  }
}
