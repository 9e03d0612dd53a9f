// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the rounds gave, by key. A ratio is taken inside each round, so that a slow moment of the
 * machine meets both sides; the median of the rounds counts.
 */
final class Samples {

  private final Map<String, List<Double>> byKey = new LinkedHashMap<>();

  void add(String key, double value) {
    byKey.computeIfAbsent(key, unused -> new ArrayList<>()).add(value);
  }

  /** {@code key}, {@code key.min} and {@code key.max} of every key. */
  Map<String, Double> flat() {
    Map<String, Double> flat = new LinkedHashMap<>();
    byKey.forEach(
        (key, values) -> {
          List<Double> sorted = new ArrayList<>(values);
          Collections.sort(sorted);
          flat.put(key, rounded(sorted.get(sorted.size() / 2)));
          flat.put(key + ".min", rounded(sorted.get(0)));
          flat.put(key + ".max", rounded(sorted.get(sorted.size() - 1)));
        });
    return flat;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
