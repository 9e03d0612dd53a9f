// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Workload;
import java.util.List;
import java.util.Map;

/** Changes of workloads. */
final class Workloads {

  private Workloads() {}

  /** The same workload on another node. */
  static Workload onNode(Workload workload, String node) {
    return copy(workload, node, workload.services(), workload.authorizationPolicies());
  }

  /** The same workload, serving other services. */
  static Workload serving(Workload workload, Map<NamespacedHostname, PortMap> services) {
    return copy(workload, workload.node(), services, workload.authorizationPolicies());
  }

  /** The same workload, selected by other policies. */
  static Workload selectedBy(Workload workload, List<String> policies) {
    return copy(workload, workload.node(), workload.services(), policies);
  }

  private static Workload copy(
      Workload workload,
      String node,
      Map<NamespacedHostname, PortMap> services,
      List<String> policies) {
    return Workload.builder(workload.uid())
        .name(workload.name())
        .namespace(workload.namespace())
        .trustDomain(workload.trustDomain())
        .serviceAccount(workload.serviceAccount())
        .clusterId(workload.clusterId())
        .network(workload.network())
        .addresses(workload.addresses())
        .hostname(workload.hostname())
        .node(node)
        .protocol(workload.protocol())
        .networkMode(workload.networkMode())
        .status(workload.status())
        .nativeTunnel(workload.nativeTunnel())
        .applicationTunnel(workload.applicationTunnel())
        .waypoint(workload.waypoint())
        .networkGateway(workload.networkGateway())
        .workloadName(workload.workloadName())
        .workloadType(workload.workloadType())
        .canonicalName(workload.canonicalName())
        .canonicalRevision(workload.canonicalRevision())
        .authorizationPolicies(policies)
        .locality(workload.locality())
        .services(services)
        .capacity(workload.capacity())
        .build();
  }
}
