// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.LoadBalancing.RoutingScope;
import io.heddle.internal.state.Workload;
import java.util.List;

/** How near an endpoint is to a client by the preferences of a service (HBONE reference 2.4). */
final class LocalityRank {

  /** The rank of an endpoint that is not eligible. */
  static final int EXCLUDED = -1;

  private LocalityRank() {}

  static int of(LoadBalancing balancing, Workload source, Workload endpoint) {
    List<RoutingScope> preferences = balancing.routingPreferences();
    return switch (balancing.mode()) {
      case STRICT -> walk(preferences, source, endpoint) == preferences.size() ? 0 : EXCLUDED;
      case FAILOVER -> failoverRank(preferences, source, endpoint);
      case UNSPECIFIED, PASSTHROUGH -> 0;
    };
  }

  private static int failoverRank(
      List<RoutingScope> preferences, Workload source, Workload endpoint) {
    boolean networkFirst = !preferences.isEmpty() && preferences.get(0) == RoutingScope.NETWORK;
    int matches = walk(preferences, source, endpoint);
    // Any endpoint of the own network goes before every one behind a gateway.
    return networkFirst && matches(RoutingScope.NETWORK, source, endpoint)
        ? matches + preferences.size() - 1
        : matches;
  }

  /** The matches before the first mismatch. A leading NETWORK that does not match is skipped. */
  private static int walk(List<RoutingScope> preferences, Workload source, Workload endpoint) {
    int matches = 0;
    for (int i = 0; i < preferences.size(); i++) {
      RoutingScope scope = preferences.get(i);
      if (matches(scope, source, endpoint)) {
        matches++;
      } else if (i > 0 || scope != RoutingScope.NETWORK) {
        break;
      }
    }
    return matches;
  }

  private static boolean matches(RoutingScope scope, Workload source, Workload endpoint) {
    return switch (scope) {
      case REGION -> source.locality().region().equals(endpoint.locality().region());
      case ZONE -> source.locality().zone().equals(endpoint.locality().zone());
      case SUBZONE -> source.locality().subzone().equals(endpoint.locality().subzone());
      case NODE -> source.node().equals(endpoint.node());
      case CLUSTER -> source.clusterId().equals(endpoint.clusterId());
      case NETWORK -> source.network().equals(endpoint.network());
    };
  }
}
