// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the rounds gave, by key. A ratio is taken inside each round, so that a slow moment of the
 * machine meets both sides; the median of the rounds counts.
 */
public final class Samples {

  private static final double DIGITS = 1e4;

  private final Map<String, List<Double>> byKey = new LinkedHashMap<>();

  public void add(String key, double value) {
    byKey.computeIfAbsent(key, unused -> new ArrayList<>()).add(value);
  }

  static Samples of(Map<String, List<Double>> rounds) {
    Samples samples = new Samples();
    rounds.forEach((key, values) -> values.forEach(value -> samples.add(key, value)));
    return samples;
  }

  /** What each key has, in the order of the rounds. */
  Map<String, List<Double>> rounds() {
    return Collections.unmodifiableMap(byKey);
  }

  /** Takes over what another collected. */
  public void addAll(Samples others) {
    others.byKey.forEach((key, values) -> values.forEach(value -> add(key, value)));
  }

  public Map<String, Statistics> statistics() {
    Map<String, Statistics> all = new LinkedHashMap<>();
    byKey.forEach((key, values) -> all.put(key, Statistics.of(values)));
    return all;
  }

  /** {@code key}, {@code key.min} and {@code key.max} of every key. */
  public Map<String, Double> flat() {
    Map<String, Double> flat = new LinkedHashMap<>();
    statistics()
        .forEach(
            (key, of) -> {
              flat.put(key, rounded(of.median()));
              flat.put(key + ".min", rounded(of.min()));
              flat.put(key + ".max", rounded(of.max()));
            });
    return flat;
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
