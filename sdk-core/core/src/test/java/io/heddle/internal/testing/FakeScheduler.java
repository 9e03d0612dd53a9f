// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.testing;

import java.time.Duration;
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

/** A scheduler whose time passes when a test says so, on the test's own thread. */
public final class FakeScheduler extends AbstractExecutorService
    implements ScheduledExecutorService {

  private final PriorityQueue<Task<?>> tasks =
      new PriorityQueue<>(
          Comparator.<Task<?>>comparingLong(t -> t.due).thenComparing(t -> t.order));
  private long now;
  private long orders;

  /** Lets time pass and runs what becomes due, in order. */
  public void advance(Duration duration) {
    long end = now + duration.toNanos();
    for (Task<?> next = tasks.peek(); next != null && next.due <= end; next = tasks.peek()) {
      tasks.poll();
      now = next.due;
      next.runWhenDue();
    }
    now = end;
  }

  /** How many tasks are waiting for their time. */
  public int waiting() {
    return tasks.size();
  }

  @Override
  public void execute(Runnable command) {
    command.run();
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return add(new Task<>(command, unit.toNanos(delay), 0));
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    return add(new Task<>(callable, unit.toNanos(delay)));
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return scheduleWithFixedDelay(command, initialDelay, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return add(new Task<>(command, unit.toNanos(initialDelay), unit.toNanos(delay)));
  }

  private <V> Task<V> add(Task<V> task) {
    tasks.add(task);
    return task;
  }

  @Override
  public void shutdown() {
    tasks.clear();
  }

  @Override
  public List<Runnable> shutdownNow() {
    tasks.clear();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return tasks.isEmpty();
  }

  private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {

    private final long order = orders++;
    private final long period;
    private long due;

    Task(Runnable command, long delay, long period) {
      super(command, null);
      this.due = now + delay;
      this.period = period;
    }

    Task(Callable<V> callable, long delay) {
      super(callable);
      this.due = now + delay;
      this.period = 0;
    }

    void runWhenDue() {
      if (period == 0) {
        run();
      } else if (runAndReset()) {
        due += period;
        tasks.add(this);
      }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      tasks.remove(this);
      return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(due - now, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
