// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Tells what happens while it happens: one line for each round. */
final class Progress {

  private final PrintStream out;
  private final Duration estimate;
  private final long start = System.nanoTime();

  Progress(PrintStream out, Duration estimate) {
    this.out = out;
    this.estimate = estimate;
  }

  void say(String line) {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    out.printf(Locale.ROOT, "[%s of about %s] %s%n", clock(elapsed), clock(estimate), line);
  }

  private static String clock(Duration of) {
    return String.format(Locale.ROOT, "%d:%02d", of.toMinutes(), of.toSecondsPart());
  }
}
