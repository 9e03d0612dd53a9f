// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.SpiffeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Notices that our own clock is behind: one peer whose certificate is not valid yet may have a bad
 * issuer, three different ones within a minute hardly do.
 */
final class ClockSuspicion {

  private static final int PEERS = 3;
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final Map<SpiffeId, Instant> early = new HashMap<>();
  private @Nullable Instant reported;

  /**
   * Counts a peer that is otherwise good.
   *
   * @return true if this is the moment to report, at most once a minute
   */
  synchronized boolean isRaisedBy(SpiffeId peer, Instant now) {
    early.values().removeIf(seen -> isPast(seen, now));
    early.put(peer, now);
    if (early.size() < PEERS || (reported != null && !isPast(reported, now))) {
      return false;
    }
    early.clear();
    reported = now;
    return true;
  }

  /** Either way round: a clock that was set back must not keep a moment for ever. */
  private static boolean isPast(Instant moment, Instant now) {
    return Duration.between(moment, now).abs().compareTo(WINDOW) > 0;
  }
}
