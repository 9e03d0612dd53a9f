// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {

  @Test
  void theMedianOfAnOddNumberIsTheMiddleOne() {
    assertThat(Statistics.of(List.of(5.0, 1.0, 3.0))).isEqualTo(new Statistics(3, 1, 5));
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheMiddleTwo() {
    assertThat(Statistics.of(List.of(4.0, 1.0, 2.0, 100.0)).median()).isEqualTo(3);
  }

  @Test
  void nothingHasNoStatistics() {
    assertThatThrownBy(() -> Statistics.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPercentileIsTheNearestRank() {
    long[] oneToAHundred = LongStream.rangeClosed(1, 100).toArray();

    assertThat(Statistics.percentile(oneToAHundred, 0.99)).isEqualTo(99);
    assertThat(Statistics.percentile(oneToAHundred, 0.5)).isEqualTo(50);
    assertThat(Statistics.percentile(oneToAHundred, 1)).isEqualTo(100);
    assertThat(Statistics.percentile(new long[] {7}, 0.01)).isEqualTo(7);
  }
}
