// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.report.Goal;
import io.heddle.benchmarks.report.Statistics;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets contenders take turns. The order is reversed from round to round, so that none always comes
 * after the same other; the first rounds warm up and do not count.
 */
final class Rounds<R> {

  /** One contender's part of a round. */
  @FunctionalInterface
  interface Turn<R> {
    R take() throws Exception;
  }

  /** Keeps what a round gave, in the order of the contenders, and names the figure to watch. */
  @FunctionalInterface
  interface Keeper<R> {
    double keep(List<R> round);
  }

  private static final int COMPILING_PER_MILLE = 50;
  private static final int MORE_WARM_UPS = 6;

  private final String name;
  private final int warmUps;
  private final int counted;
  private final Progress progress;
  private final LongSupplier compiledMillis;

  /** On two cores the compiler takes one away from the loops while it works, so it is watched. */
  Rounds(String name, int warmUps, int counted, Progress progress) {
    this(
        name,
        warmUps,
        counted,
        progress,
        ManagementFactory.getCompilationMXBean()::getTotalCompilationTime);
  }

  Rounds(String name, int warmUps, int counted, Progress progress, LongSupplier compiledMillis) {
    this.compiledMillis = compiledMillis;
    this.name = name;
    this.warmUps = warmUps;
    this.counted = counted;
    this.progress = progress;
  }

  void run(List<Turn<R>> contenders, Keeper<R> keeper) throws Exception {
    warmUp(contenders);
    List<Double> watched = new ArrayList<>();
    for (int i = 0; i < counted; i++) {
      double value = keeper.keep(round(contenders, i));
      watched.add(value);
      progress.say(
          String.format(
              "%s: round %d of %d: %s, median so far %s",
              name,
              i + 1,
              counted,
              Goal.number(value),
              Goal.number(Statistics.of(watched).median())));
    }
  }

  /** At least so many rounds as asked, and more while the compiler takes part in them. */
  private void warmUp(List<Turn<R>> contenders) throws Exception {
    boolean compiling = warmUps > 0;
    for (int i = 0; i < warmUps || (compiling && i < warmUps + MORE_WARM_UPS); i++) {
      progress.say(name + ": warm-up " + (i + 1));
      long compiled = compiledMillis.getAsLong();
      long start = System.nanoTime();
      round(contenders, i);
      long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      compiling = compiledMillis.getAsLong() - compiled > tookMillis * COMPILING_PER_MILLE / 1_000;
    }
  }

  private List<R> round(List<Turn<R>> contenders, int number) throws Exception {
    List<Turn<R>> order = new ArrayList<>(contenders);
    boolean reversed = number % 2 == 1;
    if (reversed) {
      Collections.reverse(order);
    }
    List<R> results = new ArrayList<>();
    for (Turn<R> turn : order) {
      results.add(turn.take());
    }
    if (reversed) {
      Collections.reverse(results);
    }
    return results;
  }
}
