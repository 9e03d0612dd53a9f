// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.route.GatewayLookup;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.MeshAddress;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.WeightedWaypoint;
import io.heddle.internal.state.Workload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which waypoints stand before what, as the receiving end asks. */
final class Waypoints {

  private Waypoints() {}

  /** Whether traffic to an address goes through the given workload as its waypoint. */
  static boolean isWaypointOf(MeshSnapshot mesh, Workload workload, @Nullable MeshAddress target) {
    return references(target).stream()
        .anyMatch(reference -> GatewayLookup.leadsTo(mesh, reference, workload));
  }

  /**
   * Whether an identity is that of a waypoint of this workload, or of a service that it serves: it
   * then speaks for somebody else (D31).
   */
  static boolean speaksFor(MeshSnapshot mesh, Workload own, SpiffeId peer) {
    return isOneOf(before(mesh, own), mesh, own, peer);
  }

  /**
   * Whether there is a waypoint before this workload, or before a service that it serves, and the
   * identity, null in plain text, is not that of one. A waypoint that cannot be found is bypassed
   * by everybody.
   */
  static boolean isBypassed(MeshSnapshot mesh, Workload own, @Nullable SpiffeId peer) {
    List<GatewayAddress> waypoints = before(mesh, own);
    return !waypoints.isEmpty() && (peer == null || !isOneOf(waypoints, mesh, own, peer));
  }

  private static List<GatewayAddress> before(MeshSnapshot mesh, Workload own) {
    List<GatewayAddress> references = references(own);
    for (NamespacedHostname served : own.services().keySet()) {
      references.addAll(references(mesh.service(served)));
    }
    return references;
  }

  private static boolean isOneOf(
      List<GatewayAddress> references, MeshSnapshot mesh, Workload own, SpiffeId peer) {
    return references.stream()
        .flatMap(reference -> GatewayLookup.behind(mesh, reference, own.namespace()).stream())
        .anyMatch(waypoint -> isIdentityOf(waypoint, peer));
  }

  private static List<GatewayAddress> references(@Nullable MeshAddress target) {
    List<GatewayAddress> references = new ArrayList<>();
    if (target instanceof Workload workload && workload.waypoint() != null) {
      references.add(workload.waypoint());
    } else if (target instanceof Service service) {
      if (service.waypoint() != null) {
        references.add(service.waypoint());
      }
      service.weightedWaypoints().stream()
          .map(WeightedWaypoint::destination)
          .forEach(references::add);
    }
    return references;
  }

  private static boolean isIdentityOf(Workload workload, SpiffeId peer) {
    return peer.trustDomain().name().equals(workload.trustDomain())
        && peer.namespace().filter(workload.namespace()::equals).isPresent()
        && peer.serviceAccount().filter(workload.serviceAccount()::equals).isPresent();
  }
}
