// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import java.time.Duration;

/**
 * How an endpoint is chosen among equals of the best rank, beyond what the mesh's state says.
 *
 * @param leastActive whether the one with the fewest connections of this process, for its capacity,
 *     goes before the others
 * @param ejectAfter consecutive failed dials after which an endpoint is left out for a while; 0 for
 *     never
 * @param ejection how long the first time; each further time twice as long
 * @param attempts how many endpoints are tried for one connection
 */
public record Balancing(boolean leastActive, int ejectAfter, Duration ejection, int attempts) {

  /** By weight alone, and one attempt: what the peers do. */
  public static final Balancing LIKE_PEERS = new Balancing(false, 0, Duration.ZERO, 1);
}
