// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.SocketException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one application thread that waits for something an event loop will announce. Parking instead
 * of a condition keeps locks off the event loop, and a parked virtual thread frees its carrier.
 *
 * <p>The announcer changes the state first and calls {@link #wake} second; the waiter registers
 * first and tests second. One of the two always sees the other.
 */
final class WaitingThread {

  /** For {@link #await}: no limit. */
  static final long FOR_EVER = 0;

  private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

  private final Runnable closeOnInterrupt;
  private volatile @Nullable Thread waiting;

  WaitingThread(Runnable closeOnInterrupt) {
    this.closeOnInterrupt = closeOnInterrupt;
  }

  /**
   * Waits until the condition holds. Callers let in one thread at a time.
   *
   * <p>Interrupts follow {@code java.net.Socket}: a platform thread waits on and keeps its status,
   * a virtual thread closes the socket.
   *
   * @return whether the condition holds; false when the time is over
   */
  boolean await(BooleanSupplier condition, long timeoutNanos) throws SocketException {
    long start = System.nanoTime();
    boolean interrupted = false;
    waiting = Thread.currentThread();
    try {
      while (!condition.getAsBoolean()) {
        if (timeoutNanos == FOR_EVER) {
          LockSupport.park(this);
        } else {
          long left = timeoutNanos - (System.nanoTime() - start);
          if (left <= 0) {
            return false;
          }
          LockSupport.parkNanos(this, left);
        }
        // A pending interrupt makes every park return at once: take it now, give it back below.
        if (Thread.interrupted()) {
          interrupted = true;
          if (isVirtual(Thread.currentThread())) {
            closeOnInterrupt.run();
            throw new SocketException("Closed by interrupt");
          }
        }
      }
      return true;
    } finally {
      waiting = null;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Lets the waiting thread, if there is one, test its condition again. Any thread. */
  void wake() {
    Thread thread = waiting;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private static boolean isVirtual(Thread thread) {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable impossible) {
      throw new AssertionError("Thread.isVirtual() declares no exception", impossible);
    }
  }

  /** {@code Thread.isVirtual()} came with JDK 21. */
  private static @Nullable MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException olderJdk) {
      return null;
    } catch (IllegalAccessException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }
}
