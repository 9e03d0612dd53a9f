// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Workloads by uid, address, host name and own name (HBONE reference 2.2).
 *
 * @param byUid every workload
 * @param byAddress the workloads without those on a host's network
 * @param byHostname the workloads that are reached by a host name, by namespace and host name
 * @param byName the workloads whose uid does not follow from their name, by namespace and name
 * @param clusters the clusters of the other workloads, which are found by uid
 * @param preference the preferred one of several first; equal only for one and the same
 */
record WorkloadLookup(
    PersistentTable<Workload> byUid,
    AddressTables<Workload> byAddress,
    PersistentTable<Workload> byHostname,
    PersistentTable<Workload> byName,
    Set<String> clusters,
    Comparator<Workload> preference) {

  private static final String POD = "//Pod/";

  /** An empty look-up that, all else equal, prefers workloads of one cluster. */
  static WorkloadLookup empty(String ownCluster) {
    // The uid decides last, so that every order of arrival ends in the same choice.
    Comparator<Workload> preference =
        Comparator.comparingInt(WorkloadLookup::rank)
            .thenComparing(workload -> !workload.clusterId().equals(ownCluster))
            .thenComparing(Workload::uid);
    return new WorkloadLookup(
        PersistentTable.empty(),
        AddressTables.empty(),
        PersistentTable.empty(),
        PersistentTable.empty(),
        Set.of(),
        preference);
  }

  /** Pods in the mesh, then pods, then what else is in the mesh, then the rest. */
  private static int rank(Workload workload) {
    boolean pod = workload.uid().contains(POD);
    boolean meshed = workload.protocol() == Protocol.HBONE;
    return (pod ? 0 : 2) + (meshed ? 0 : 1);
  }

  @Nullable Workload byUid(String uid) {
    return byUid(byUid, uid);
  }

  static @Nullable Workload byUid(Pages<Workload> workloads, String uid) {
    for (long at = workloads.first(uid.hashCode()); at != Pages.NONE; at = workloads.next(at)) {
      Workload found = workloads.element(at);
      if (found.hasUid(uid)) {
        return found;
      }
    }
    return null;
  }

  @Nullable Workload byAddress(String network, InetAddress address) {
    InetAddress canonical = AddressTables.canonical(address);
    PersistentTable<Workload> table = byAddress.of(network);
    Workload best = null;
    for (long at = table.first(AddressTables.hash(canonical));
        at != Pages.NONE;
        at = table.next(at)) {
      Workload found = table.element(at);
      if (found.hasAddress(canonical)) {
        best = preferred(best, found);
      }
    }
    return best;
  }

  @Nullable Workload byHostname(NamespacedHostname hostname) {
    Workload best = null;
    for (long at = byHostname.first(hostname.hashCode());
        at != Pages.NONE;
        at = byHostname.next(at)) {
      Workload found = byHostname.element(at);
      if (found.hostname().equals(hostname.hostname())
          && found.namespace().equals(hostname.namespace())) {
        best = preferred(best, found);
      }
    }
    return best;
  }

  @Nullable Workload byInfo(WorkloadInfo info) {
    Workload best = null;
    byte[] name = CompactName.of(info.name());
    for (String cluster : clusters) {
      Workload found = byUid(CompactName.podUid(cluster, info.namespace(), name));
      if (found != null && info.matches(found)) {
        best = preferred(best, found);
      }
    }
    int hash = CompactName.hash(info.namespace(), name);
    for (long at = byName.first(hash); at != Pages.NONE; at = byName.next(at)) {
      Workload found = byName.element(at);
      if (info.matches(found)) {
        best = preferred(best, found);
      }
    }
    return best;
  }

  private Workload preferred(@Nullable Workload one, Workload other) {
    return one == null || preference.compare(other, one) < 0 ? other : one;
  }
}
