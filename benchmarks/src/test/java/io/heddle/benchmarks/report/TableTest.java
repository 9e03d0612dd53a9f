// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void aKeyHasItsExtremesItsGoalAndWhetherItIsMet() {
    String table =
        Table.ratios(
            Map.of(
                "rr.rate_vs_mtls", new Statistics(2.75, 2.5, 3),
                "rr1.p50_vs_mtls", new Statistics(1.3, 1.2, 1.4)));

    assertThat(table.lines())
        .anySatisfy(
            line -> assertThat(line).matches("rr.rate_vs_mtls +2.75 +2.50 +3.00 +≥ 2.50 +yes"))
        .anySatisfy(
            line -> assertThat(line).matches("rr1.p50_vs_mtls +1.30 +1.20 +1.40 +≤ 1.15 +NO"));
  }

  @Test
  void aKeyThatWasNotMeasuredIsAbsent() {
    assertThat(Table.ratios(Map.of("rr.rate_vs_mtls", new Statistics(1, 1, 1))).lines()).hasSize(2);
  }
}
