// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Time on the wall, and of the processors for this process. */
final class Stopwatch {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final long startCpu = SYSTEM.getProcessCpuTime();
  private final long start = System.nanoTime();

  Transfer transferred(long bytes, long end) {
    return new Transfer(bytes, end - start, SYSTEM.getProcessCpuTime() - startCpu);
  }

  double seconds(long end) {
    return (end - start) / 1e9;
  }
}
