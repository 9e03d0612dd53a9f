// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoalTest {

  private final Goal fast = new Goal("fast", Goal.Sense.AT_LEAST, 2.5);
  private final Goal small = new Goal("small", Goal.Sense.AT_MOST, 2048);

  @Test
  void moreIsBetterWhereAtLeastIsAskedFor() {
    assertThat(fast.isMetBy(2.5)).isTrue();
    assertThat(fast.isMetBy(2.49)).isFalse();
    assertThat(fast.score(5)).isEqualTo(2);
  }

  @Test
  void lessIsBetterWhereAtMostIsAskedFor() {
    assertThat(small.isMetBy(2048)).isTrue();
    assertThat(small.isMetBy(2049)).isFalse();
    assertThat(small.score(1024)).isEqualTo(2);
  }

  @Test
  void everyKeyIsJudgedOnce() {
    assertThat(Goal.ALL).extracting(Goal::key).doesNotHaveDuplicates().hasSize(17);
  }
}
