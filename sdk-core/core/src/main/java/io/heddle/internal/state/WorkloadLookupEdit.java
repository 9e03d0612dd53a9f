// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes the look-ups of workloads in step. Used by one writer, for one batch. */
final class WorkloadLookupEdit {

  private final WorkloadLookup origin;
  private final TableEdit<Workload> byUid;
  private final AddressTables.Edit<Workload> byAddress;
  private final TableEdit<Workload> byHostname;
  private final TableEdit<Workload> byName;
  private Set<String> clusters;

  WorkloadLookupEdit(WorkloadLookup origin) {
    this.origin = origin;
    byUid = origin.byUid().edit();
    byAddress = origin.byAddress().edit();
    byHostname = origin.byHostname().edit();
    byName = origin.byName().edit();
    clusters = origin.clusters();
  }

  @Nullable Workload byUid(String uid) {
    return WorkloadLookup.byUid(byUid, uid);
  }

  /** The workload with the uid of another. */
  @Nullable Workload likeUidOf(Workload workload) {
    for (long at = byUid.first(workload.uidHash()); at != Pages.NONE; at = byUid.next(at)) {
      Workload found = byUid.element(at);
      if (found.hasUidOf(workload)) {
        return found;
      }
    }
    return null;
  }

  /** Whether this very workload is known. */
  @SuppressWarnings("ReferenceEquality") // An equal one may have been put in its place.
  boolean isCurrent(Workload workload) {
    return likeUidOf(workload) == workload;
  }

  /** Makes room for workloads before they are added. */
  void reserve(int more) {
    byUid.reserve(more);
  }

  void add(Workload workload) {
    byUid.add(workload.uidHash(), workload);
    addAddresses(workload);
    addNames(workload);
  }

  void remove(Workload workload) {
    byUid.remove(workload.uidHash(), workload);
    removeAddresses(workload);
    removeNames(workload);
  }

  /**
   * Puts a workload in the place of the former one of its uid. Most of what is sent again is found
   * under the same keys as before, and then no element moves.
   */
  void replace(Workload former, Workload workload) {
    byUid.replace(workload.uidHash(), former, workload);
    if (former.isFoundLike(workload)) {
      for (InetAddress address : workload.indexedAddresses()) {
        TableEdit<Workload> table = byAddress.of(workload.network());
        table.replace(AddressTables.hash(address), former, workload);
      }
    } else {
      removeAddresses(former);
      addAddresses(workload);
    }
    removeNames(former);
    addNames(workload);
  }

  private void addAddresses(Workload workload) {
    for (InetAddress address : workload.indexedAddresses()) {
      byAddress.of(workload.network()).add(AddressTables.hash(address), workload);
    }
  }

  private void removeAddresses(Workload workload) {
    for (InetAddress address : workload.indexedAddresses()) {
      byAddress.of(workload.network()).remove(AddressTables.hash(address), workload);
    }
  }

  private void addNames(Workload workload) {
    if (!workload.hasDerivedUid()) {
      byName.add(workload.nameHash(), workload);
    } else if (!clusters.contains(workload.clusterId())) {
      clusters = new HashSet<>(clusters);
      clusters.add(workload.clusterId());
    }
    if (!workload.hostname().isEmpty()) {
      byHostname.add(hostnameHash(workload), workload);
    }
  }

  private void removeNames(Workload workload) {
    if (!workload.hasDerivedUid()) {
      byName.remove(workload.nameHash(), workload);
    }
    if (!workload.hostname().isEmpty()) {
      byHostname.remove(hostnameHash(workload), workload);
    }
  }

  private static int hostnameHash(Workload workload) {
    return new NamespacedHostname(workload.namespace(), workload.hostname()).hashCode();
  }

  WorkloadLookup finish() {
    return new WorkloadLookup(
        byUid.finish(),
        byAddress.finish(),
        byHostname.finish(),
        byName.finish(),
        clusters,
        origin.preference());
  }
}
