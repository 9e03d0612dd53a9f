// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import java.util.Collection;

/**
 * The middle and the extremes of some rounds.
 *
 * @param median the mean of the two middle ones when their number is even
 * @param min the least
 * @param max the greatest
 */
public record Statistics(double median, double min, double max) {

  /**
   * Of at least one value.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Statistics of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    int upper = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
    return new Statistics(median, sorted[0], sorted[sorted.length - 1]);
  }

  /**
   * The least value that at least such a share of all does not exceed (nearest rank).
   *
   * @param sorted ascending, not empty
   * @param share above 0, up to 1
   */
  public static long percentile(long[] sorted, double share) {
    int rank = (int) Math.ceil(sorted.length * share);
    return sorted[Math.max(rank, 1) - 1];
  }
}
