// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.route.Selection.Purpose;
import io.heddle.internal.state.Endpoint;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.MeshAddress;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds waypoints and network gateways by reference (HBONE reference 2.6 and 2.7). */
public final class GatewayLookup {

  private GatewayLookup() {}

  /** Chooses a workload behind the reference. */
  static Selection choose(
      RouteRequest request, LoadBalancer balancer, GatewayAddress reference, Purpose purpose) {
    MeshAddress found = find(request.state(), reference, request.source().namespace());
    if (found instanceof Service service) {
      return balancer.choose(request, service, reference.hboneMtlsPort(), purpose);
    }
    if (found instanceof Workload workload) {
      return new Selection.Chosen(workload, reference.hboneMtlsPort(), null);
    }
    return new Selection.Shortage(Refusal.UNKNOWN_DESTINATION, reference + " is not known");
  }

  /** Whether the workload is one of those behind the reference. */
  public static boolean leadsTo(MeshSnapshot state, GatewayAddress reference, Workload workload) {
    MeshAddress found = find(state, reference, workload.namespace());
    if (found instanceof Service service) {
      return state.endpoints(service.key()).of(workload.uid()) != null;
    }
    return found instanceof Workload other && other.uid().equals(workload.uid());
  }

  /** The workloads behind the reference, as a client of a namespace sees them. */
  public static List<Workload> behind(
      MeshSnapshot state, GatewayAddress reference, String clientNamespace) {
    MeshAddress found = find(state, reference, clientNamespace);
    if (found instanceof Service service) {
      return state.endpoints(service.key()).all().stream().map(Endpoint::workload).toList();
    }
    return found instanceof Workload workload ? List.of(workload) : List.of();
  }

  private static @Nullable MeshAddress find(
      MeshSnapshot state, GatewayAddress reference, String clientNamespace) {
    if (reference instanceof GatewayAddress.ByHostname named) {
      return state.hostname(named.hostname());
    }
    NetworkAddress at = ((GatewayAddress.ByAddress) reference).address();
    Service service = state.serviceByVip(at.network(), at.address(), clientNamespace);
    return service != null ? service : state.workload(at.network(), at.address());
  }
}
