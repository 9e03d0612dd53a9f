// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RoundsTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final Progress progress =
      new Progress(new PrintStream(printed, true, StandardCharsets.UTF_8), Duration.ofSeconds(90));
  private final List<String> turns = new ArrayList<>();

  @Test
  void theOrderOfContendersIsReversedFromRoundToRound() throws Exception {
    new Rounds<String>("x", 0, 3, progress).run(contenders(), round -> 1);

    assertThat(turns).containsExactly("a", "b", "b", "a", "a", "b");
  }

  @Test
  void resultsComeInTheOrderOfTheContendersWhateverTheTurns() throws Exception {
    List<List<String>> kept = new ArrayList<>();

    new Rounds<String>("x", 0, 2, progress)
        .run(
            contenders(),
            round -> {
              kept.add(round);
              return 1;
            });

    assertThat(kept).containsExactly(List.of("a", "b"), List.of("a", "b"));
  }

  @Test
  void roundsThatWarmUpAreNotKept() throws Exception {
    List<List<String>> kept = new ArrayList<>();

    new Rounds<String>("x", 2, 1, progress, () -> 0)
        .run(
            contenders(),
            round -> {
              kept.add(round);
              return 1;
            });

    assertThat(kept).hasSize(1);
    assertThat(turns).hasSize(6);
  }

  @Test
  void roundsWarmUpForAsLongAsTheCompilerWorksWithinALimit() throws Exception {
    AtomicLong compiled = new AtomicLong();

    new Rounds<String>("x", 2, 1, progress, () -> compiled.addAndGet(1_000_000))
        .run(contenders(), round -> 1);

    assertThat(turns).hasSize(2 * (2 + 6 + 1));
  }

  @Test
  void theMedianSoFarIsToldAfterEachRound() throws Exception {
    List<Double> values = new ArrayList<>(List.of(3.0, 1.0));

    new Rounds<String>("x", 0, 2, progress).run(contenders(), round -> values.remove(0));

    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("of about 1:30] x: round 1 of 2: 3.00, median so far 3.00")
        .contains("x: round 2 of 2: 1.00, median so far 2.00");
  }

  private List<Rounds.Turn<String>> contenders() {
    return List.of(() -> turn("a"), () -> turn("b"));
  }

  private String turn(String name) {
    turns.add(name);
    return name;
  }
}
