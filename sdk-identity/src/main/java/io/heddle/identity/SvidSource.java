// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Always holds our current identity, and renews it in time.
 *
 * <p>Every method may be called from any thread. Only {@link #awaitReady} blocks.
 */
public interface SvidSource extends AutoCloseable {

  /**
   * The current identity. A failed renewal does not take it away: it stays, even expired, until a
   * newer one arrives.
   *
   * @return the snapshot; read SVID and bundles from the same one
   * @throws IdentityException.Unavailable if none has arrived yet, or the source is closed
   */
  IdentitySnapshot current();

  /**
   * Calls the listener with updates that arrive from now on, one call at a time. The latest wins: a
   * listener that is slow skips updates that were replaced meanwhile. It never runs on the thread
   * that delivers updates, so it cannot hold them up; what it throws is logged and otherwise
   * without effect.
   *
   * @param listener receives new snapshots
   * @return close it to stop the calls
   */
  Registration onUpdate(Consumer<IdentitySnapshot> listener);

  /**
   * How the source is doing.
   *
   * @return its state at this moment
   */
  SourceHealth health();

  /**
   * Waits for the first identity. Not for event loops.
   *
   * @param timeout how long to wait at most
   * @return the current snapshot
   * @throws IdentityException if none arrives in time, the waiting is interrupted, or the source
   *     failed for good
   */
  IdentitySnapshot awaitReady(Duration timeout);

  /** Stops renewing and forgets the identity. Closing twice has no effect. */
  @Override
  void close();

  /** A listener's place at a source. */
  interface Registration extends AutoCloseable {

    /** Stops the calls. Closing twice has no effect. */
    @Override
    void close();
  }
}
