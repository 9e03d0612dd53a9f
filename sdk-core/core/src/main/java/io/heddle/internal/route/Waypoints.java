// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.WeightedWaypoint;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The waypoint of a service for one connection (HBONE reference 2.1, step 4). */
final class Waypoints {

  private Waypoints() {}

  /** One of the weighted waypoints by weight if any has a weight, else the plain one, else null. */
  static @Nullable GatewayAddress sample(Service service, RandomGenerator random) {
    long total = 0;
    for (WeightedWaypoint waypoint : service.weightedWaypoints()) {
      total += waypoint.weight();
    }
    long left = total == 0 ? 0 : random.nextLong(total);
    for (WeightedWaypoint waypoint : service.weightedWaypoints()) {
      left -= waypoint.weight();
      if (left < 0) {
        return waypoint.destination();
      }
    }
    return service.waypoint();
  }
}
