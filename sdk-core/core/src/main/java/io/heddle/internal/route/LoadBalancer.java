// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.route.Selection.Purpose;
import io.heddle.internal.state.Endpoints;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Chooses an endpoint of a service. What can be chosen is worked out when the service or its
 * endpoints have changed, so that a connection does not look at each of them (DESIGN D7). Any
 * thread may ask.
 */
final class LoadBalancer {

  /** Services that are gone leave their group behind; then all are worked out anew. */
  private static final int MOST_GROUPS = 4_096;

  private record Key(String source, NamespacedHostname service, int port, Purpose purpose) {}

  private final EndpointStandings standings;
  private final Map<Key, EndpointGroup> groups = new ConcurrentHashMap<>();

  LoadBalancer(EndpointStandings standings) {
    this.standings = standings;
  }

  Selection choose(RouteRequest request, Service service, int port, Purpose purpose) {
    if (purpose != Purpose.WAYPOINT && !service.ports().contains(port)) {
      return new Selection.Shortage(
          Refusal.UNKNOWN_PORT, service.key() + " declares " + service.ports().asMap().keySet());
    }
    return group(request, service, port, purpose).sample(request, standings);
  }

  private EndpointGroup group(RouteRequest request, Service service, int port, Purpose purpose) {
    Workload source = request.source();
    Endpoints endpoints = request.state().endpoints(service.key());
    Key key = new Key(source.uid(), service.key(), port, purpose);
    EndpointGroup known = groups.get(key);
    if (known != null && known.isMadeOf(source, service, endpoints)) {
      return known;
    }
    EndpointGroup group = new EndpointGroup(source, service, endpoints, port, purpose);
    if (groups.size() >= MOST_GROUPS) {
      groups.clear();
    }
    groups.put(key, group);
    return group;
  }
}
