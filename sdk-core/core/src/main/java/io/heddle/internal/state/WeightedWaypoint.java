// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/**
 * One of several waypoints among which connections are spread.
 *
 * @param destination the waypoint
 * @param weight its share; 0 is never chosen
 */
public record WeightedWaypoint(GatewayAddress destination, long weight) {
  /** Checks the weight. */
  public WeightedWaypoint {
    if (weight < 0) {
      throw new IllegalArgumentException("waypoint weight " + weight + " (expected: 0 or more)");
    }
  }
}
