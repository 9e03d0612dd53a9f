// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SourceHealth;
import io.heddle.identity.SvidSource;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.X509Svid;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a source has published, and how it is doing: the half of an {@link SvidSource} that does not
 * depend on where the identity comes from.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>readers see one immutable object, so never the certificate of one update with the anchors
 *       or the health of another;
 *   <li>a failure never takes a snapshot away;
 *   <li>the state is computed when it is asked for, so no transition can be missed.
 * </ul>
 */
public final class PublishedIdentity {

  private final String source;
  private final Clock clock;
  private final UpdateListeners listeners;
  private final CountDownLatch firstOrClosed = new CountDownLatch(1);

  private volatile Held held = new Held(null, null, false);

  /** What became of an update. */
  public enum Outcome {
    /** It is now the current identity. */
    ADOPTED,
    /** It says what is known already; nobody is told. */
    UNCHANGED,
    /** Its certificate has expired and the one that is held has not, so it is ignored. */
    STALE,
    /** The source is closed. */
    CLOSED
  }

  private record Held(
      @Nullable IdentitySnapshot snapshot, @Nullable Throwable lastError, boolean closed) {}

  /**
   * Nothing yet.
   *
   * @param source what the source is called in messages
   * @param clock the wall clock by which certificates expire
   * @param listenerExecutor where listeners run
   */
  public PublishedIdentity(String source, Clock clock, Executor listenerExecutor) {
    this.source = source;
    this.clock = clock;
    this.listeners = new UpdateListeners(source, listenerExecutor);
  }

  /** Takes an update over, unless it is stale or says nothing new. */
  public Outcome offer(X509Svid svid, TrustBundles bundles) {
    IdentitySnapshot adopted;
    synchronized (this) {
      IdentitySnapshot before = held.snapshot;
      if (held.closed) {
        return Outcome.CLOSED;
      }
      Instant now = clock.instant();
      if (before != null) {
        if (before.svid().equals(svid) && before.bundles().equals(bundles)) {
          held = new Held(before, null, false);
          return Outcome.UNCHANGED;
        }
        if (!svid.notAfter().isAfter(now) && before.svid().notAfter().isAfter(now)) {
          return Outcome.STALE;
        }
      }
      long version = before == null ? 1 : before.version() + 1;
      adopted = new IdentitySnapshot(version, svid, bundles, now);
      held = new Held(adopted, null, false);
      listeners.tell(adopted);
    }
    firstOrClosed.countDown();
    return Outcome.ADOPTED;
  }

  /** Notes a failure; what is held stays. */
  public synchronized void failed(Throwable error) {
    held = new Held(held.snapshot, error, held.closed);
  }

  /** What is held has been found to be current again. */
  public synchronized void recovered() {
    held = new Held(held.snapshot, null, held.closed);
  }

  /** The snapshot that is held, expired or not; null before the first. */
  public @Nullable IdentitySnapshot held() {
    return held.snapshot;
  }

  /** See {@link SvidSource#current()}. */
  public IdentitySnapshot current() {
    Held now = held;
    if (now.closed) {
      throw new IdentityException.Unavailable(source + " is closed", null);
    }
    if (now.snapshot == null) {
      throw new IdentityException.Unavailable(
          source + " has no identity yet" + because(now.lastError), now.lastError);
    }
    return now.snapshot;
  }

  /** See {@link SvidSource#awaitReady(Duration)}. */
  public IdentitySnapshot awaitReady(Duration timeout) {
    try {
      if (!firstOrClosed.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        Throwable error = held.lastError;
        throw new IdentityException.Unavailable(
            source + " has delivered no identity within " + timeout + because(error), error);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IdentityException.Unavailable("interrupted while waiting for " + source, e);
    }
    return current();
  }

  /** See {@link SvidSource#onUpdate(Consumer)}. */
  public SvidSource.Registration onUpdate(Consumer<IdentitySnapshot> listener) {
    return listeners.add(listener);
  }

  /** See {@link SvidSource#health()}. */
  public SourceHealth health() {
    Held now = held;
    Instant expiresAt = now.snapshot == null ? null : now.snapshot.svid().notAfter();
    String lastError = now.lastError == null ? null : describe(now.lastError);
    return new SourceHealth(state(now, expiresAt), expiresAt, lastError);
  }

  private SourceHealth.State state(Held now, @Nullable Instant expiresAt) {
    if (now.closed) {
      return SourceHealth.State.CLOSED;
    }
    if (expiresAt == null) {
      return SourceHealth.State.STARTING;
    }
    if (!expiresAt.isAfter(clock.instant())) {
      return SourceHealth.State.EXPIRED;
    }
    return now.lastError == null ? SourceHealth.State.READY : SourceHealth.State.DEGRADED;
  }

  /** Forgets the identity and the listeners; the second call has no effect. */
  public void close() {
    synchronized (this) {
      held = new Held(null, held.lastError, true);
    }
    listeners.close();
    firstOrClosed.countDown();
  }

  private static String because(@Nullable Throwable error) {
    return error == null ? "" : ": " + describe(error);
  }

  /** One line, because it ends up in logs and health pages. */
  private static String describe(Throwable error) {
    String message = error.getMessage();
    String text = message == null || message.isBlank() ? error.getClass().getSimpleName() : message;
    return text.lines().findFirst().orElse(text);
  }
}
