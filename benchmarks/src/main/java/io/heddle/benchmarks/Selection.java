// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which benchmarks are run, in their own order.
 *
 * @param names of the benchmarks
 * @param effort how much each measures
 */
record Selection(Set<String> names, Effort effort) {

  private static final String DEFAULT = "default";
  private static final String ALL = "all";

  /** What the default leaves out: they judge nothing, and take minutes. */
  private static final Set<String> REPORTED_ONLY = Set.of("jmh", "scale");

  /**
   * Reads {@code default}, {@code all}, or names separated by commas.
   *
   * @param known the names there are
   * @throws IllegalArgumentException for a name that is not known, with those that are
   */
  static Selection parse(String text, List<String> known) {
    Effort effort = Effort.DEFAULT;
    Set<String> chosen = new LinkedHashSet<>();
    for (String word : text.split(",", -1)) {
      String name = word.strip();
      if (name.equals(ALL)) {
        chosen.addAll(known);
        effort = Effort.LONG;
      } else if (name.equals(DEFAULT)) {
        chosen.addAll(known);
        chosen.removeAll(REPORTED_ONLY);
      } else if (known.contains(name)) {
        chosen.add(name);
      } else {
        throw new IllegalArgumentException(
            "no benchmark is named '"
                + name
                + "': -Dbench takes default, all, or some of "
                + String.join(",", known));
      }
    }
    return new Selection(chosen, effort);
  }

  List<Benchmark> of(List<Benchmark> benchmarks) {
    List<Benchmark> selected = new ArrayList<>(benchmarks);
    selected.removeIf(benchmark -> !names.contains(benchmark.name()));
    return selected;
  }

  /** How long they take about. */
  Duration estimate(List<Benchmark> benchmarks) {
    return of(benchmarks).stream()
        .map(Benchmark::estimate)
        .reduce(Duration.ZERO, Duration::plus)
        .multipliedBy(effort.scale());
  }
}
