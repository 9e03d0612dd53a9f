// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Workloads by uid, address, host name and own name (HBONE reference 2.2).
 *
 * @param byUid every workload
 * @param byAddress the workloads of one address, without those on a host's network
 * @param byHostname the workloads that are reached by a host name
 * @param byName the workloads of one name, in all namespaces; not those without a name
 */
record WorkloadLookup(
    PersistentMap<String, Workload> byUid,
    ByNetworkAddress<Workload> byAddress,
    Candidates<NamespacedHostname, Workload> byHostname,
    Candidates<String, Workload> byName) {

  private static final String POD = "//Pod/";

  /** An empty look-up that, all else equal, prefers workloads of one cluster. */
  static WorkloadLookup empty(String ownCluster) {
    // The uid decides last, so that every order of arrival ends in the same choice.
    Comparator<Workload> preference =
        Comparator.comparingInt(WorkloadLookup::rank)
            .thenComparing(workload -> !workload.clusterId().equals(ownCluster))
            .thenComparing(Workload::uid);
    return new WorkloadLookup(
        PersistentMap.empty(),
        ByNetworkAddress.none(preference),
        Candidates.none(preference),
        Candidates.none(preference));
  }

  /** Pods in the mesh, then pods, then what else is in the mesh, then the rest. */
  private static int rank(Workload workload) {
    boolean pod = workload.uid().contains(POD);
    boolean meshed = workload.protocol() == Protocol.HBONE;
    return (pod ? 0 : 2) + (meshed ? 0 : 1);
  }

  WorkloadLookup with(Workload workload) {
    ByNetworkAddress<Workload> addresses = byAddress;
    if (workload.isIndexedByAddress()) {
      for (InetAddress address : workload.addresses()) {
        addresses = addresses.with(workload.network(), address, workload);
      }
    }
    return new WorkloadLookup(
        byUid.with(workload.uid(), workload),
        addresses,
        workload.hostname().isEmpty()
            ? byHostname
            : byHostname.with(hostnameOf(workload), workload),
        workload.name().isEmpty() ? byName : byName.with(workload.name(), workload));
  }

  WorkloadLookup without(Workload workload) {
    ByNetworkAddress<Workload> addresses = byAddress;
    if (workload.isIndexedByAddress()) {
      for (InetAddress address : workload.addresses()) {
        addresses = addresses.without(workload.network(), address, workload);
      }
    }
    return new WorkloadLookup(
        byUid.without(workload.uid()),
        addresses,
        workload.hostname().isEmpty()
            ? byHostname
            : byHostname.without(hostnameOf(workload), workload),
        workload.name().isEmpty() ? byName : byName.without(workload.name(), workload));
  }

  @Nullable Workload byAddress(String network, InetAddress address) {
    List<Workload> found = byAddress.of(network, address);
    return found.isEmpty() ? null : found.get(0);
  }

  @Nullable Workload byInfo(WorkloadInfo info) {
    for (Workload workload : byName.of(info.name())) {
      if (info.matches(workload)) {
        return workload;
      }
    }
    return null;
  }

  private static NamespacedHostname hostnameOf(Workload workload) {
    return new NamespacedHostname(workload.namespace(), workload.hostname());
  }
}
