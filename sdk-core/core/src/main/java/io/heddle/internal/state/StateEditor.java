// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.PolicySet;
import java.util.List;
import java.util.Map;

/**
 * The one place where the maps change, and where they are kept in step: a workload is an endpoint
 * of each service that it lists, also of services that have not arrived yet. Used by one writer,
 * for one batch.
 */
final class StateEditor {

  private WorkloadLookup workloads;
  private ServiceLookup services;
  private PersistentMap<NamespacedHostname, Endpoints> endpoints;
  private PolicySet policies;

  StateEditor(
      WorkloadLookup workloads,
      ServiceLookup services,
      PersistentMap<NamespacedHostname, Endpoints> endpoints,
      PolicySet policies) {
    this.workloads = workloads;
    this.services = services;
    this.endpoints = endpoints;
    this.policies = policies;
  }

  /** Removes a workload by uid or a service by key. A name that is not known is no error. */
  void remove(String resourceName) {
    Workload workload = workloads.byUid().get(resourceName);
    if (workload != null) {
      remove(workload);
      return;
    }
    int slash = resourceName.indexOf('/');
    if (slash >= 0) {
      Service service =
          services
              .byKey()
              .get(
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
    Workload former = workloads.byUid().get(workload.uid());
    if (former != null) {
      remove(former);
    }
    workloads = workloads.with(workload);
    workload
        .services()
        .forEach(
            (key, ports) ->
                setEndpoints(
                    key,
                    endpointsOf(key)
                        .with(new Endpoint(workload, ports), services.byKey().get(key))));
  }

  private void remove(Workload workload) {
    workloads = workloads.without(workload);
    for (NamespacedHostname key : workload.services().keySet()) {
      setEndpoints(key, endpointsOf(key).without(workload.uid()));
    }
  }

  private void put(Service service) {
    NamespacedHostname key = service.key();
    Service former = services.byKey().get(key);
    if (former != null) {
      services = services.without(former);
    }
    services = services.with(service);
    setEndpoints(key, endpointsOf(key).judgedBy(service));
  }

  /** The workloads still list the service: should it come back, so do its endpoints. */
  private void remove(Service service) {
    services = services.without(service);
    NamespacedHostname key = service.key();
    setEndpoints(key, endpointsOf(key).unjudged());
  }

  private Endpoints endpointsOf(NamespacedHostname key) {
    Endpoints found = endpoints.get(key);
    return found == null ? Endpoints.NONE : found;
  }

  private void setEndpoints(NamespacedHostname key, Endpoints changed) {
    endpoints = changed.holdsNothing() ? endpoints.without(key) : endpoints.with(key, changed);
  }

  MeshSnapshot finish(long version) {
    return new MeshSnapshot(version, workloads, services, endpoints, policies);
  }
}
