// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.relay;

import org.jspecify.annotations.Nullable;

/**
 * How a relay ended, once both channels are closed.
 *
 * @param ending the first thing that ended it
 * @param bytesUpstream what came from downstream and was handed to upstream
 * @param bytesDownstream what came from upstream and was handed to downstream
 * @param cause the channel's exception or the reason of the abort; null after a clean end
 */
public record RelayOutcome(
    Ending ending, long bytesUpstream, long bytesDownstream, @Nullable Throwable cause) {

  /** What ended a relay. */
  public enum Ending {
    /** Both directions ran to their end of stream. */
    CLEAN,
    /** The downstream channel failed or was reset; upstream was reset for it. */
    DOWNSTREAM_RESET,
    /** The upstream channel failed or was reset; downstream was reset for it. */
    UPSTREAM_RESET,
    /** {@link Relay#abort}: both were reset. */
    ABORTED
  }
}
