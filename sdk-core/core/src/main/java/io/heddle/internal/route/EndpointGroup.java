// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.route.Selection.Purpose;
import io.heddle.internal.state.ApplicationTunnel;
import io.heddle.internal.state.Endpoint;
import io.heddle.internal.state.Endpoints;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of a service among which a client's connections to one port are spread: filtered,
 * the nearest only, with their weights summed up (HBONE reference 2.3 to 2.5). Immutable.
 */
final class EndpointGroup {

  private static final int NO_PORT = -1;

  /** How many endpoints are compared for one connection; more would cost more than it gains. */
  private static final int MOST_COMPARED = 32;

  private final Workload source;
  private final Service service;
  private final Endpoints endpoints;
  private final int port;
  private final Purpose purpose;
  private final List<Endpoint> nearest = new ArrayList<>();
  private final EndpointTally passedOver = new EndpointTally();

  /** At each index the weight of the endpoints up to and with that one. */
  private final long[] cumulativeWeights;

  EndpointGroup(Workload source, Service service, Endpoints endpoints, int port, Purpose purpose) {
    this.source = source;
    this.service = service;
    this.endpoints = endpoints;
    this.port = port;
    this.purpose = purpose;
    collect();
    this.cumulativeWeights = new long[nearest.size()];
    long total = 0;
    for (int i = 0; i < cumulativeWeights.length; i++) {
      total += nearest.get(i).workload().capacity();
      cumulativeWeights[i] = total;
    }
  }

  /**
   * Whether it was made of these very objects, and so still holds: state never changes in place,
   * and comparing identities costs the same for any number of endpoints.
   */
  @SuppressWarnings("ReferenceEquality")
  boolean isMadeOf(Workload otherSource, Service otherService, Endpoints otherEndpoints) {
    return source == otherSource && service == otherService && endpoints == otherEndpoints;
  }

  /** One endpoint: by weight, unless how endpoints have stood speaks for another. */
  Selection sample(RouteRequest request, EndpointStandings standings) {
    if (nearest.isEmpty()) {
      return passedOver.shortage(service, endpoints);
    }
    long total = cumulativeWeights[cumulativeWeights.length - 1];
    if (total == 0) {
      return new Selection.Shortage(
          Refusal.NO_CAPACITY, service.key() + ", endpoints: " + nearest.size());
    }
    int byWeight = indexOf(request.random().nextLong(total));
    boolean alike = standings.isBlank() && request.avoided().isEmpty();
    Endpoint endpoint =
        nearest.get(alike ? byWeight : best(byWeight, standings, request.avoided()));
    return new Selection.Chosen(endpoint.workload(), portOf(endpoint), service);
  }

  /** The fittest, of these the least active, of these the one that weight has chosen. */
  private int best(int byWeight, EndpointStandings standings, Set<String> avoided) {
    int best = byWeight;
    int size = nearest.size();
    for (int i = 1; i < Math.min(size, MOST_COMPARED); i++) {
      int candidate = (byWeight + i) % size;
      if (nearest.get(candidate).workload().capacity() > 0
          && isBetter(candidate, best, standings, avoided)) {
        best = candidate;
      }
    }
    return best;
  }

  private boolean isBetter(int one, int other, EndpointStandings standings, Set<String> avoided) {
    Workload candidate = nearest.get(one).workload();
    Workload best = nearest.get(other).workload();
    int unfitness = standings.unfitness(candidate.uid(), avoided);
    int ofBest = standings.unfitness(best.uid(), avoided);
    if (unfitness != ofBest || !standings.balancing().leastActive()) {
      return unfitness < ofBest;
    }
    // active / capacity, without the division
    return standings.active(candidate.uid()) * best.capacity()
        < standings.active(best.uid()) * candidate.capacity();
  }

  /** The first index whose cumulative weight is greater; one without weight is never the first. */
  private int indexOf(long point) {
    int low = 0;
    int high = cumulativeWeights.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulativeWeights[middle] > point) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void collect() {
    int bestRank = 0;
    for (Endpoint endpoint : endpoints.all()) {
      Refusal unusable = whyUnusable(endpoint);
      if (unusable != null) {
        passedOver.count(unusable);
        continue;
      }
      int rank = LocalityRank.of(service.loadBalancing(), source, endpoint.workload());
      if (rank == LocalityRank.EXCLUDED) {
        passedOver.count(Refusal.NO_LOCALITY_MATCH);
        continue;
      }
      if (rank > bestRank) {
        bestRank = rank;
        nearest.clear();
      }
      if (rank == bestRank) {
        nearest.add(endpoint);
      }
    }
  }

  private @Nullable Refusal whyUnusable(Endpoint endpoint) {
    Workload workload = endpoint.workload();
    boolean behindGateway =
        purpose != Purpose.GATEWAY && !workload.network().equals(source.network());
    // Choosing an endpoint that no gateway leads to would refuse what another could serve.
    if (behindGateway && workload.networkGateway() == null) {
      return Refusal.OTHER_NETWORK;
    }
    if (!behindGateway && !DialAddress.exists(workload, service.ipFamilies())) {
      return Refusal.NO_ADDRESS;
    }
    return portOf(endpoint) == NO_PORT ? Refusal.NO_TARGET_PORT : null;
  }

  /**
   * The endpoint's own mapping, then the service's, then the port itself for a tunnelled waypoint.
   */
  private int portOf(Endpoint endpoint) {
    int own = endpoint.ports().target(port);
    if (own > 0) {
      return own;
    }
    int target = service.ports().target(port);
    if (target > 0) {
      return target;
    }
    ApplicationTunnel tunnel = endpoint.workload().applicationTunnel();
    boolean tunnelled = purpose == Purpose.WAYPOINT && tunnel != null && tunnel.hasPort();
    return tunnelled ? port : NO_PORT;
  }
}
