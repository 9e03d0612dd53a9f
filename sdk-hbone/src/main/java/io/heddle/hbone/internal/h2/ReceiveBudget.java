// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0
package io.heddle.hbone.internal.h2;

import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all tunnels of one client or server together may let their peers send beyond the initial
 * windows. Thread-safe.
 *
 * <p>It is shared as switches share their packet memory: a tunnel may take only as much as it
 * leaves free, so that some tunnels never use it up and a newcomer always finds room. As it fills,
 * the most that one tunnel may hold falls.
 */
final class ReceiveBudget {
  /** The application wants the rest of the direct memory, sending needs some too. */
  private static final int SHARE_OF_DIRECT_MEMORY = 8;

  private final long total;
  private final AtomicLong reserved = new AtomicLong();

  /**
   * Makes a budget.
   *
   * @param total in bytes; 0 for an eighth of the direct memory that this JVM may use
   */
  ReceiveBudget(long total) {
    this.total = total > 0 ? total : PlatformDependent.maxDirectMemory() / SHARE_OF_DIRECT_MEMORY;
  }

  /**
   * Takes some more for a tunnel, all or nothing.
   *
   * @param held what the tunnel has already
   */
  boolean reserve(int more, int held) {
    long now;
    do {
      now = reserved.get();
      if (total - now - more < (long) held + more) {
        return false;
      }
    } while (!reserved.compareAndSet(now, now + more));
    return true;
  }

  void release(int bytes) {
    reserved.addAndGet(-bytes);
  }

  /** Whether a tunnel holds so much more than is left that it should give some back. */
  boolean isScarceFor(int held) {
    return held > 2 * (total - reserved.get());
  }

  long reserved() {
    return reserved.get();
  }
}
