// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {

  private static final List<String> KNOWN = List.of("bulk", "rr", "jmh");

  @Test
  void theDefaultIsEveryComparisonWithoutTheParts() {
    Selection selection = Selection.parse("default", KNOWN);

    assertThat(selection.names()).containsExactly("bulk", "rr");
    assertThat(selection.effort()).isEqualTo(Effort.DEFAULT);
  }

  @Test
  void allIsEverythingAtLength() {
    Selection selection = Selection.parse("all", KNOWN);

    assertThat(selection.names()).containsExactly("bulk", "rr", "jmh");
    assertThat(selection.effort()).isEqualTo(Effort.LONG);
  }

  @Test
  void namesAreTakenInAnyOrderWithBlanks() {
    assertThat(Selection.parse("rr, bulk", KNOWN).names()).containsExactlyInAnyOrder("bulk", "rr");
  }

  @Test
  void anUnknownNameIsRefusedWithThoseThatExist() {
    assertThatThrownBy(() -> Selection.parse("bulk,rr2", KNOWN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'rr2'")
        .hasMessageContaining("default, all, or some of bulk,rr,jmh");
  }

  @Test
  void anEmptySelectionIsRefused() {
    assertThatThrownBy(() -> Selection.parse("", KNOWN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void benchmarksRunInTheirOwnOrder() {
    Benchmark bulk = new Named("bulk");
    Benchmark rr = new Named("rr");

    Selection selection = Selection.parse("rr,bulk", KNOWN);

    assertThat(selection.of(List.of(bulk, rr, new Named("jmh")))).containsExactly(bulk, rr);
  }

  @Test
  void theEstimateIsThatOfWhatIsSelected() {
    Selection selection = Selection.parse("bulk", KNOWN);

    assertThat(selection.estimate(List.of(new Named("bulk"), new Named("rr"))))
        .isEqualTo(Duration.ofSeconds(10));
  }

  private record Named(String name) implements Benchmark {
    @Override
    public Duration estimate() {
      return Duration.ofSeconds(10);
    }

    @Override
    public void run(Session session) {}
  }
}
