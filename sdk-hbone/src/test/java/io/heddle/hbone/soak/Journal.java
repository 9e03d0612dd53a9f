// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** What happened so far, and what should not have. Any thread. */
final class Journal {
  private static final int ENOUGH = 20;

  private final Map<Happening, AtomicLong> counts = new EnumMap<>(Happening.class);
  private final AtomicLong bytes = new AtomicLong();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final CountDownLatch failed = new CountDownLatch(ENOUGH);

  Journal() {
    for (Happening happening : Happening.values()) {
      counts.put(happening, new AtomicLong());
    }
  }

  void count(Happening happening) {
    counts.get(happening).incrementAndGet();
  }

  long counted(Happening happening) {
    return counts.get(happening).get();
  }

  void bytes(long checked) {
    bytes.addAndGet(checked);
  }

  void fail(String what) {
    if (failures.size() < ENOUGH) {
      failures.add(what);
    }
    failed.countDown();
  }

  List<String> failures() {
    return failures;
  }

  /** Counts down to so many failures that more would tell nothing new. */
  CountDownLatch enoughFailures() {
    return failed;
  }

  List<Happening> rarerThan(long times) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().isRequired() && entry.getValue().get() < times)
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public String toString() {
    return counts.entrySet().stream()
            .map(entry -> entry.getKey().name().toLowerCase() + "=" + entry.getValue())
            .collect(Collectors.joining(" "))
        + " mebibytes="
        + (bytes.get() >> 20)
        + " failures="
        + failures.size();
  }
}
