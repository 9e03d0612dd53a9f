// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.PolicySet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one place where the state changes, and where its parts are kept in step: a workload is an
 * endpoint of each service that it lists, also of services that have not arrived yet. Used by one
 * writer, for one batch.
 */
final class StateEditor {

  private final WorkloadLookupEdit workloads;
  private final ServiceLookupEdit services;
  private final PersistentTable<Endpoints> endpoints;
  private final Map<NamespacedHostname, EndpointsEdit> changedEndpoints = new LinkedHashMap<>();
  private PolicySet policies;

  StateEditor(
      WorkloadLookup workloads,
      ServiceLookup services,
      PersistentTable<Endpoints> endpoints,
      PolicySet policies) {
    this.workloads = new WorkloadLookupEdit(workloads);
    this.services = new ServiceLookupEdit(services);
    this.endpoints = endpoints;
    this.policies = policies;
  }

  /** Makes room for resources before they are put. */
  void reserve(int more) {
    workloads.reserve(more);
  }

  /** Removes a workload by uid or a service by key. A name that is not known is no error. */
  void remove(String resourceName) {
    Workload workload = workloads.byUid(resourceName);
    if (workload != null) {
      workloads.remove(workload);
      removeEndpoints(workload);
      return;
    }
    int slash = resourceName.indexOf('/');
    if (slash >= 0) {
      Service service =
          services.byKey(
              new NamespacedHostname(
                  resourceName.substring(0, slash), resourceName.substring(slash + 1)));
      if (service != null) {
        remove(service);
      }
    }
  }

  void put(MeshAddress address) {
    if (address instanceof Workload workload) {
      put(workload);
    } else if (address instanceof Service service) {
      put(service);
    }
  }

  void changePolicies(Map<String, AuthorizationPolicy> changed, List<String> withdrawn) {
    policies = policies.with(changed, withdrawn);
  }

  private void put(Workload workload) {
    Workload former = workloads.likeUidOf(workload);
    if (former == null) {
      workloads.add(workload);
    } else {
      workloads.replace(former, workload);
      removeEndpoints(former);
    }
    for (NamespacedHostname key : workload.services().keySet()) {
      endpointsOf(key).add(workload);
    }
  }

  private void removeEndpoints(Workload workload) {
    for (NamespacedHostname key : workload.services().keySet()) {
      endpointsOf(key).remove(workload);
    }
  }

  private void put(Service service) {
    Service former = services.byKey(service.key());
    if (former != null) {
      services.remove(former);
    }
    services.add(service);
    endpointsOf(service.key()).sendService();
  }

  /** The workloads still list the service: should it come back, so do its endpoints. */
  private void remove(Service service) {
    services.remove(service);
    endpointsOf(service.key()).removeService();
  }

  private EndpointsEdit endpointsOf(NamespacedHostname key) {
    EndpointsEdit edit = changedEndpoints.get(key);
    if (edit == null) {
      Endpoints known = MeshSnapshot.endpoints(endpoints, key);
      edit = new EndpointsEdit(known == null ? Endpoints.none(key) : known);
      changedEndpoints.put(key, edit);
    }
    return edit;
  }

  MeshSnapshot finish(long version) {
    return new MeshSnapshot(
        version, workloads.finish(), services.finish(), finishEndpoints(), policies);
  }

  private PersistentTable<Endpoints> finishEndpoints() {
    TableEdit<Endpoints> edit = endpoints.edit();
    changedEndpoints.forEach(
        (key, change) -> {
          Endpoints former = MeshSnapshot.endpoints(edit, key);
          Endpoints changed = change.finish(services.byKey(key), workloads::isCurrent);
          replace(edit, key.hashCode(), former, changed.holdsNothing() ? null : changed);
        });
    return edit.finish();
  }

  private static void replace(
      TableEdit<Endpoints> table,
      int hash,
      @Nullable Endpoints former,
      @Nullable Endpoints changed) {
    if (former != null && changed != null) {
      table.replace(hash, former, changed);
    } else if (former != null) {
      table.remove(hash, former);
    } else if (changed != null) {
      table.add(hash, changed);
    }
  }
}
