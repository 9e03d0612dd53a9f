// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.hbone.WorkloadType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the workloads of one owner have in common: the pods of a ReplicaSet share one. The
 * components are described at {@link Workload}.
 */
public record WorkloadProfile(
    String namespace,
    String trustDomain,
    String serviceAccount,
    String clusterId,
    String network,
    String hostname,
    Protocol protocol,
    NetworkMode networkMode,
    boolean nativeTunnel,
    @Nullable ApplicationTunnel applicationTunnel,
    @Nullable GatewayAddress waypoint,
    @Nullable GatewayAddress networkGateway,
    String workloadName,
    WorkloadType workloadType,
    String canonicalName,
    String canonicalRevision,
    List<String> authorizationPolicies,
    Map<NamespacedHostname, PortMap> services,
    long capacity) {

  /** Copies the collections and checks what has a range. */
  public WorkloadProfile {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity " + capacity + " (expected: 0 or more)");
    }
    authorizationPolicies = List.copyOf(authorizationPolicies);
    services = Map.copyOf(services);
  }

  /** The same profile made of parts that others are made of too. */
  WorkloadProfile sharing(SharedParts parts) {
    return new WorkloadProfile(
        parts.text(namespace),
        parts.text(trustDomain),
        parts.text(serviceAccount),
        parts.text(clusterId),
        parts.text(network),
        hostname,
        protocol,
        networkMode,
        nativeTunnel,
        applicationTunnel,
        waypoint,
        networkGateway,
        parts.text(workloadName),
        workloadType,
        parts.text(canonicalName),
        parts.text(canonicalRevision),
        authorizationPolicies.stream().map(parts::text).toList(),
        services,
        capacity);
  }
}
