// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or process is about to do, with a limit. */
public final class Eventually {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Eventually() {}

  /** Returns once the condition holds; fails when it still does not after half a minute. */
  public static void holds(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        fail("not within " + LIMIT + ": " + what);
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  /** Looks again and again for the given time; fails as soon as the condition does not hold. */
  public static void staysTrue(String what, Duration time, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < time.toNanos()) {
      if (!condition.getAsBoolean()) {
        fail("no longer true: " + what);
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }
}
