// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Tells what happens while it happens: one line for each round. */
final class Progress {

  private final PrintStream out;
  private final Duration estimate;

  /** By the clock on the wall, which all processes of a run share. */
  private final long startMillis;

  Progress(PrintStream out, Duration estimate) {
    this(out, estimate, System.currentTimeMillis());
  }

  private Progress(PrintStream out, Duration estimate, long startMillis) {
    this.out = out;
    this.estimate = estimate;
    this.startMillis = startMillis;
  }

  /** For the command line of a process that goes on with it. */
  List<String> words() {
    return List.of(estimate.toString(), Long.toString(startMillis));
  }

  static Progress of(PrintStream out, List<String> words) {
    return new Progress(out, Duration.parse(words.get(0)), Long.parseLong(words.get(1)));
  }

  void say(String line) {
    Duration elapsed = Duration.ofMillis(System.currentTimeMillis() - startMillis);
    out.printf(Locale.ROOT, "[%s of about %s] %s%n", clock(elapsed), clock(estimate), line);
  }

  private static String clock(Duration of) {
    return String.format(Locale.ROOT, "%d:%02d", of.toMinutes(), of.toSecondsPart());
  }
}
