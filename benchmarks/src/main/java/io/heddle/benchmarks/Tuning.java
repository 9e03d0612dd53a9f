// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.report.Statistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the best variant of a contender, before anything is compared with it. Every candidate takes
 * the same number of turns, in alternation; the best median wins.
 */
final class Tuning<C> {

  private static final int TURNS = 3;

  /** How good a candidate is; more is better. */
  @FunctionalInterface
  interface Measure<C> {
    double of(C candidate) throws Exception;
  }

  private final String contender;
  private final String name;
  private final Session session;

  Tuning(String contender, String name, Session session) {
    this.contender = contender;
    this.name = name;
    this.session = session;
  }

  C best(List<C> candidates, Measure<C> measure) throws Exception {
    session.progress().say(name + ": tuning " + contender + ", " + candidates.size() + " variants");
    measure.of(candidates.get(0));
    Map<C, List<Double>> measured = new LinkedHashMap<>();
    for (int turn = 0; turn < TURNS; turn++) {
      for (C candidate : candidates) {
        measured.computeIfAbsent(candidate, unused -> new ArrayList<>()).add(measure.of(candidate));
      }
    }
    C best =
        measured.entrySet().stream()
            .max(Comparator.comparingDouble(entry -> Statistics.of(entry.getValue()).median()))
            .orElseThrow()
            .getKey();
    session.found().fact(contender + ".variant." + name, best.toString());
    session.progress().say(name + ": " + contender + " is best with " + best);
    return best;
  }
}
