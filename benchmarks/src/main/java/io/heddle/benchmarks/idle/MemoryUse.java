// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.idle;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a process holds.
 *
 * @param heap live objects: what is in use after full collections
 * @param direct memory of direct buffers, counted as it is reserved
 */
record MemoryUse(long heap, long direct) {

  private static final int COLLECTIONS = 4;

  static MemoryUse now() throws InterruptedException {
    long heap = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      heap = Math.min(heap, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return new MemoryUse(heap, directMemory());
  }

  /**
   * Netty reserves direct memory through the JDK, which counts it, or past it, and then counts it
   * itself; never less than its allocator says.
   */
  private static long directMemory() {
    long counted = Math.max(0, PlatformDependent.usedDirectMemory());
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (pool.getName().equals("direct")) {
        counted += pool.getMemoryUsed();
      }
    }
    return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider metered
        ? Math.max(counted, metered.metric().usedDirectMemory())
        : counted;
  }
}
