// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.rig.Await;
import io.netty.util.LeakPresenceDetector;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Seconds in the normal test run, {@code -Dsoak.minutes} with {@code -Psoak}; {@code -Dsoak.seed}
 * repeats the choices of a soak, though not the timing of threads and network.
 */
class SoakTest {
  private static final Duration SHORT = Duration.ofSeconds(6);
  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(20);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Chunks that the allocator keeps, which differ a little from round to round. */
  private static final long MEMORY_TOLERANCE = 64 << 20;

  private final Journal journal = new Journal();
  private int rounds;
  private long lastReport;

  @Test
  @Timeout(value = 1, unit = TimeUnit.DAYS)
  @DisplayName("tunnels under resets, drains, cuts and rotations: bytes identical, nothing left")
  void soak() throws Exception {
    Duration length = length();
    long seed = Long.getLong("soak.seed", System.nanoTime());
    System.out.printf("soak: %s, -Dsoak.seed=%d%n", length, seed);
    Random seeds = new Random(seed);
    run(WARM_UP, seeds.nextLong());
    Residue before = Residue.now();
    long end = System.nanoTime() + length.toNanos();
    long left = length.toNanos();
    long enough = 1 + length.toSeconds() / 6;
    while ((left > 0 || lacks(enough, end)) && journal.failures().isEmpty()) {
      long most = Math.max(left, WARM_UP.toNanos());
      run(Duration.ofNanos(Math.min(most, LONGEST_ROUND.toNanos())), seeds.nextLong());
      assertNothingIsLeft(before);
      left = end - System.nanoTime();
    }
    System.out.printf("soak: over, -Dsoak.seed=%d, %s%n", seed, journal);
    assertThat(journal.failures()).isEmpty();
    assertThat(journal.rarerThan(enough)).as("what happened too rarely").isEmpty();
  }

  /** A slow machine gets some time more for what has to happen. */
  private boolean lacks(long times, long end) {
    return !journal.rarerThan(times).isEmpty() && System.nanoTime() - end < PATIENCE.toNanos();
  }

  private static Duration length() {
    String minutes = System.getProperty("soak.minutes", "");
    return minutes.isBlank() ? SHORT : Duration.ofMinutes(Long.parseLong(minutes));
  }

  private void run(Duration length, long seed) throws Exception {
    rounds++;
    long end = System.nanoTime() + length.toNanos();
    try (Round round = new Round(seed, journal)) {
      long left = length.toNanos();
      while (left > 0
          && !journal
              .enoughFailures()
              .await(Math.min(left, TimeUnit.SECONDS.toNanos(1)), TimeUnit.NANOSECONDS)) {
        report(round);
        left = end - System.nanoTime();
      }
    }
  }

  private void report(Round round) {
    long now = System.nanoTime();
    if (now - lastReport > TimeUnit.SECONDS.toNanos(10)) {
      lastReport = now;
      System.out.printf("soak: round %d, %d tunnels open, %s%n", rounds, round.open(), journal);
    }
  }

  private static void assertNothingIsLeft(Residue before) {
    Await.until("no thread is left", () -> Residue.now().threadsSince(before).isEmpty());
    LeakPresenceDetector.check();
    Residue after = Residue.now();
    if (Residue.descriptorsAreVisible()) {
      assertThat(after.descriptors()).as("descriptors").isLessThanOrEqualTo(before.descriptors());
    } else {
      System.out.println("soak: descriptors are not counted, no /proc/self/fd on this system");
    }
    assertThat(after.directBytes())
        .as("bytes outside of the heap")
        .isLessThanOrEqualTo(before.directBytes() + MEMORY_TOLERANCE);
  }
}
