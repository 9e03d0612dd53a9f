// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.policy.PolicySet;
import io.heddle.internal.policy.UnknownPolicies;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything the mesh knows, as of one moment. It never changes, so a reader that takes it once
 * decides on one consistent state, and holds no lock.
 *
 * <p>A client namespace of null sees every service and prefers none.
 */
public final class MeshSnapshot {

  private final long version;
  private final WorkloadLookup workloads;
  private final ServiceLookup services;
  private final PersistentTable<Endpoints> endpoints;
  private final PolicySet policies;

  MeshSnapshot(
      long version,
      WorkloadLookup workloads,
      ServiceLookup services,
      PersistentTable<Endpoints> endpoints,
      PolicySet policies) {
    this.version = version;
    this.workloads = workloads;
    this.services = services;
    this.endpoints = endpoints;
    this.policies = policies;
  }

  /** Knows nothing; prefers workloads of the given cluster once it does. */
  static MeshSnapshot empty(String ownCluster, UnknownPolicies unknownPolicies) {
    return new MeshSnapshot(
        0,
        WorkloadLookup.empty(ownCluster),
        ServiceLookup.EMPTY,
        PersistentTable.empty(),
        PolicySet.empty(unknownPolicies));
  }

  /** The number of publications that led here; 0 while nothing has arrived. */
  public long version() {
    return version;
  }

  /** The workload with the given uid. */
  public @Nullable Workload workload(String uid) {
    return workloads.byUid(uid);
  }

  /** The preferred workload at an address. Workloads on a host's network are not found so. */
  public @Nullable Workload workload(String network, InetAddress address) {
    return workloads.byAddress(network, address);
  }

  /** The workload that names itself so. */
  public @Nullable Workload workload(WorkloadInfo info) {
    return workloads.byInfo(info);
  }

  /** The service with the given key, whoever may see it. */
  public @Nullable Service service(NamespacedHostname key) {
    return services.byKey(key);
  }

  /** The service at an address: by exact address, then by the best range that holds it. */
  public @Nullable Service serviceByVip(
      String network, InetAddress address, @Nullable String clientNamespace) {
    return services.byVip(network, address, clientNamespace);
  }

  /** The service that a client means by a host name. */
  public @Nullable Service serviceByHostname(String hostname, @Nullable String clientNamespace) {
    return services.byHostname(hostname, clientNamespace, null);
  }

  /**
   * The service that a client means by a host name, where one namespace is preferred over others
   * that are neither the client's own nor hold the canonical service.
   */
  public @Nullable Service serviceByHostname(
      String hostname, @Nullable String clientNamespace, @Nullable String preferredNamespace) {
    return services.byHostname(hostname, clientNamespace, preferredNamespace);
  }

  /** What an address stands for: a workload, else a service. */
  public @Nullable MeshAddress address(
      String network, InetAddress address, @Nullable String clientNamespace) {
    Workload workload = workload(network, address);
    return workload != null ? workload : serviceByVip(network, address, clientNamespace);
  }

  /** What a host name of a namespace stands for: a service, else a workload. */
  public @Nullable MeshAddress hostname(NamespacedHostname hostname) {
    Service service = service(hostname);
    return service != null ? service : workloads.byHostname(hostname);
  }

  /** The endpoints of a service; none when the service is unknown. */
  public Endpoints endpoints(NamespacedHostname service) {
    Endpoints found = services.byKey(service) != null ? endpoints(endpoints, service) : null;
    return found == null ? Endpoints.NONE : found;
  }

  static @Nullable Endpoints endpoints(Pages<Endpoints> endpoints, NamespacedHostname service) {
    for (long at = endpoints.first(service.hashCode()); at != Pages.NONE; at = endpoints.next(at)) {
      Endpoints found = endpoints.element(at);
      if (found.service().equals(service)) {
        return found;
      }
    }
    return null;
  }

  /** The policies. */
  public PolicySet policies() {
    return policies;
  }

  /** The number of workloads and services. */
  long size() {
    return (long) workloadCount() + services.byKey().size();
  }

  /** The number of workloads. */
  public int workloadCount() {
    return workloads.byUid().size();
  }

  /** Every workload, in no particular order. */
  public List<Workload> workloads() {
    return workloads.byUid().toList();
  }

  /** Every service, in no particular order. */
  public List<Service> services() {
    return services.byKey().toList();
  }

  /** Editing starts from here. */
  StateEditor edit() {
    return new StateEditor(workloads, services, endpoints, policies);
  }
}
