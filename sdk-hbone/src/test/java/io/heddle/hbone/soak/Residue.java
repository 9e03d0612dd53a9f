// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import io.netty.util.internal.PlatformDependent;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.stream.Collectors;

/** What this process holds: threads, descriptors, memory outside of the heap. */
record Residue(Set<Thread> threads, int descriptors, long directBytes) {
  private static final File DESCRIPTORS = new File("/proc/self/fd");

  static Residue now() {
    return new Residue(
        Thread.getAllStackTraces().keySet(),
        descriptorsAreVisible() ? openDescriptors() : 0,
        PlatformDependent.usedDirectMemory());
  }

  static boolean descriptorsAreVisible() {
    return DESCRIPTORS.isDirectory();
  }

  /** Sockets, event loops and pipes; not files, which the class loader opens when it likes. */
  private static int openDescriptors() {
    String[] names = DESCRIPTORS.list();
    int count = 0;
    for (String name : names == null ? new String[0] : names) {
      try {
        String target = Files.readSymbolicLink(DESCRIPTORS.toPath().resolve(name)).toString();
        count += target.startsWith("/") ? 0 : 1;
      } catch (IOException closedMeanwhile) {
        // The descriptor of the listing itself is among them.
      }
    }
    return count;
  }

  /** Threads that were not there before, but for those of the JDK and of Netty's globals. */
  Set<String> threadsSince(Residue before) {
    return threads.stream()
        .filter(thread -> !before.threads.contains(thread))
        .map(Thread::getName)
        .filter(name -> !name.startsWith("globalEventExecutor"))
        .collect(Collectors.toSet());
  }
}
