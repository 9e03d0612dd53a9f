// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.idle;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a process holds.
 *
 * @param heap live objects: what is in use after full collections
 * @param direct memory of direct buffers, counted as it is reserved
 */
public record MemoryUse(long heap, long direct) {

  private static final int COLLECTIONS = 4;
  private static final int PROBE_BYTES = 1 << 20;
  private static final boolean JDK_COUNTS_NETTY = jdkCountsNetty();

  /** What it holds now. */
  public static MemoryUse now() throws InterruptedException {
    long heap = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      heap = Math.min(heap, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return new MemoryUse(heap, directMemory());
  }

  /**
   * Netty reserves direct memory through the JDK, which counts it as well, or past it, and then
   * counts it alone; never less than its allocator says.
   */
  private static long directMemory() {
    long byNetty = Math.max(0, PlatformDependent.usedDirectMemory());
    long counted = countedByJdk() + (JDK_COUNTS_NETTY ? 0 : byNetty);
    return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider metered
        ? Math.max(counted, metered.metric().usedDirectMemory())
        : counted;
  }

  /** Depends on the JDK and on what it lets Netty do, so it is tried. */
  private static boolean jdkCountsNetty() {
    long before = countedByJdk();
    ByteBuf probe = UnpooledByteBufAllocator.DEFAULT.directBuffer(PROBE_BYTES);
    try {
      return countedByJdk() - before >= PROBE_BYTES;
    } finally {
      probe.release();
    }
  }

  private static long countedByJdk() {
    long counted = 0;
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (pool.getName().equals("direct")) {
        counted += pool.getMemoryUsed();
      }
    }
    return counted;
  }
}
