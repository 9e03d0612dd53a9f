// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How a source is doing.
 *
 * @param state what it can do now
 * @param expiresAt when the certificate it holds ends; null if it holds none
 * @param lastError what went wrong last, in one line without secrets; null if nothing did, or if it
 *     has been overcome
 */
public record SourceHealth(State state, @Nullable Instant expiresAt, @Nullable String lastError) {

  /** What a source can do. */
  public enum State {
    /** No identity has arrived yet. */
    STARTING,
    /** It holds a valid identity and keeps it fresh. */
    READY,
    /** It holds a valid identity, but does not succeed in renewing it. */
    DEGRADED,
    /** The identity it holds has expired: new handshakes fail. */
    EXPIRED,
    /** It has been closed. */
    CLOSED
  }

  /**
   * How long the certificate is still good.
   *
   * @param now what the wall clock says
   * @return whole seconds until it expires, 0 once it has; empty if the source holds none
   */
  public OptionalLong secondsUntilExpiry(Instant now) {
    return expiresAt == null
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, Duration.between(now, expiresAt).toSeconds()));
  }
}
