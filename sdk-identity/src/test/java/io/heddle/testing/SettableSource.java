// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SourceHealth;
import io.heddle.identity.SourceHealth.State;
import io.heddle.identity.SvidSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A source that holds what the test put in. Listeners run on the thread that calls {@link #set}.
 */
public final class SettableSource implements SvidSource {

  private final AtomicReference<IdentitySnapshot> current = new AtomicReference<>();
  private final List<Consumer<IdentitySnapshot>> listeners = new CopyOnWriteArrayList<>();
  private final CountDownLatch ready = new CountDownLatch(1);
  private volatile boolean closed;

  private SettableSource() {}

  /** A source that has no identity yet. */
  public static SettableSource empty() {
    return new SettableSource();
  }

  /** A source that is ready. */
  public static SettableSource of(IdentitySnapshot snapshot) {
    SettableSource source = new SettableSource();
    source.set(snapshot);
    return source;
  }

  /** Delivers an update. */
  public void set(IdentitySnapshot snapshot) {
    current.set(snapshot);
    ready.countDown();
    listeners.forEach(listener -> listener.accept(snapshot));
  }

  @Override
  public IdentitySnapshot current() {
    IdentitySnapshot snapshot = current.get();
    if (closed || snapshot == null) {
      throw new IdentityException.Unavailable(
          closed ? "the source is closed" : "no identity was set", null);
    }
    return snapshot;
  }

  @Override
  public Registration onUpdate(Consumer<IdentitySnapshot> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public SourceHealth health() {
    IdentitySnapshot snapshot = current.get();
    State state = closed ? State.CLOSED : snapshot == null ? State.STARTING : State.READY;
    return new SourceHealth(state, snapshot == null ? null : snapshot.svid().notAfter(), null);
  }

  @Override
  public IdentitySnapshot awaitReady(Duration timeout) {
    try {
      if (!ready.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IdentityException.Unavailable("no identity was set within " + timeout, null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IdentityException.Unavailable("interrupted", e);
    }
    return current();
  }

  @Override
  public void close() {
    closed = true;
    listeners.clear();
  }
}
