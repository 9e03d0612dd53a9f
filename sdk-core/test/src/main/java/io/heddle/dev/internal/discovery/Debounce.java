// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.discovery;

import io.heddle.dev.internal.catalog.CatalogChange;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects changes until there was none for a while, but not for ever (control-plane reference
 * 2.7).
 */
public final class Debounce {

  private final Duration quiet;
  private final Duration longest;
  private final LongSupplier nanoTime;
  private final BiConsumer<Duration, Runnable> timer;
  private final Consumer<CatalogChange> push;

  private @Nullable CatalogChange collected;
  private long first;
  private long last;

  /**
   * A debounce without changes.
   *
   * @param quiet how long nothing must change; zero pushes at once
   * @param longest how long a change waits at most
   * @param nanoTime the time
   * @param timer runs a task after a while
   * @param push takes what was collected
   */
  public Debounce(
      Duration quiet,
      Duration longest,
      LongSupplier nanoTime,
      BiConsumer<Duration, Runnable> timer,
      Consumer<CatalogChange> push) {
    this.quiet = quiet;
    this.longest = longest;
    this.nanoTime = nanoTime;
    this.timer = timer;
    this.push = push;
  }

  /** Adds a change. */
  public void add(CatalogChange change) {
    last = nanoTime.getAsLong();
    if (collected != null) {
      collected = collected.and(change);
      return;
    }
    collected = change;
    first = last;
    look();
  }

  /** Whether changes wait to be pushed. */
  public boolean isPending() {
    return collected != null;
  }

  private void look() {
    long now = nanoTime.getAsLong();
    long restOfQuiet = quiet.toNanos() - (now - last);
    long restOfAll = longest.toNanos() - (now - first);
    long rest = Math.min(restOfQuiet, restOfAll);
    if (rest > 0) {
      timer.accept(Duration.ofNanos(rest), this::look);
      return;
    }
    CatalogChange change = collected;
    collected = null;
    if (change != null) {
      push.accept(change);
    }
  }
}
