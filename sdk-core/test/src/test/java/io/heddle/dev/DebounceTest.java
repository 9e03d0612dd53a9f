// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.dev.internal.catalog.CatalogChange;
import io.heddle.dev.internal.discovery.Debounce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When changes are pushed, in a time of the test's own. */
class DebounceTest {

  private record Task(long at, Runnable action) {}

  private final Queue<Task> tasks = new PriorityQueue<>(Comparator.comparingLong(Task::at));
  private final List<Set<String>> pushes = new ArrayList<>();
  private long now;
  private final Debounce debounce =
      new Debounce(
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          () -> now,
          (delay, task) -> tasks.add(new Task(now + delay.toNanos(), task)),
          change -> pushes.add(change.addresses()));

  private void pass(long millis) {
    long end = now + Duration.ofMillis(millis).toNanos();
    while (!tasks.isEmpty() && tasks.peek().at() <= end) {
      Task next = tasks.remove();
      now = next.at();
      next.action().run();
    }
    now = end;
  }

  private void change(String name) {
    debounce.add(new CatalogChange(Set.of(name), Set.of()));
  }

  @Test
  @DisplayName("CP-55 a burst is one push after a quiet window")
  void burst() {
    change("a");
    pass(60);
    change("b");
    pass(60);
    change("c");
    pass(99);
    assertThat(pushes).isEmpty();
    assertThat(debounce.isPending()).isTrue();

    pass(1);

    assertThat(pushes).containsExactly(Set.of("a", "b", "c"));
    assertThat(debounce.isPending()).isFalse();
  }

  @Test
  @DisplayName("a change waits for quiet no longer than the maximum")
  void maximum() {
    for (int i = 0; i < 20; i++) {
      change("n" + i);
      pass(50);
    }
    assertThat(pushes).hasSize(1);
    assertThat(pushes.get(0)).hasSize(20);
  }

  @Test
  @DisplayName("a change after a push starts anew")
  void anew() {
    change("a");
    pass(100);
    change("b");
    pass(100);
    assertThat(pushes).containsExactly(Set.of("a"), Set.of("b"));
  }
}
