// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.rig;

import io.netty.util.concurrent.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting with a deadline, for test threads. */
public final class Await {
  private static final long SECONDS = 30;

  private Await() {}

  public static <T> T get(Future<T> future) {
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("not done in time: " + future, e);
    }
  }

  public static <T> T get(java.util.concurrent.Future<T> future) {
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | InterruptedException | TimeoutException e) {
      throw new AssertionError("not done: " + future, e);
    }
  }

  /** The cause with which the future fails. */
  public static Throwable failure(Future<?> future) {
    try {
      Object value = future.get(SECONDS, TimeUnit.SECONDS);
      throw new AssertionError("succeeded: " + value);
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("not done in time: " + future, e);
    }
  }

  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
