// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Service;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the service that a host name means to a client, as the peers' DNS would (HBONE reference
 * 6): full and short Kubernetes names, search domains and wildcards.
 */
final class ServiceNames {

  private final String clusterDomain;
  private final @Nullable String preferredNamespace;

  ServiceNames(String clusterDomain, @Nullable String preferredNamespace) {
    this.clusterDomain = clusterDomain;
    this.preferredNamespace = preferredNamespace;
  }

  /** The service, or null when the name has to be asked of DNS. */
  @Nullable Service find(MeshSnapshot state, String hostname, String clientNamespace) {
    for (String candidate : candidates(hostname, clientNamespace)) {
      Service service = findExactOrWildcard(state, candidate, clientNamespace);
      if (service != null) {
        return service;
      }
    }
    return null;
  }

  private @Nullable Service findExactOrWildcard(
      MeshSnapshot state, String name, String clientNamespace) {
    Service exact = state.serviceByHostname(name, clientNamespace, preferredNamespace);
    if (exact != null && isAnswered(exact)) {
      return exact;
    }
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      String wildcard = "*" + name.substring(dot);
      Service service = state.serviceByHostname(wildcard, clientNamespace, preferredNamespace);
      if (service != null && isAnswered(service)) {
        return service;
      }
    }
    return null;
  }

  /** Without an address of its own a name is DNS's, unless it is a headless Kubernetes service. */
  private boolean isAnswered(Service service) {
    return !service.vips().isEmpty() || service.hostname().endsWith(".svc." + clusterDomain);
  }

  /** All names that the client may mean, the likeliest first. */
  Set<String> candidates(String hostname, String clientNamespace) {
    Set<String> names = new LinkedHashSet<>();
    addExpanded(names, hostname, clientNamespace);
    List<String> searchDomains =
        List.of(
            "." + clientNamespace + ".svc." + clusterDomain,
            ".svc." + clusterDomain,
            "." + clusterDomain);
    for (String domain : searchDomains) {
      if (hostname.endsWith(domain) && hostname.length() > domain.length()) {
        String stripped = hostname.substring(0, hostname.length() - domain.length());
        addExpanded(names, stripped, clientNamespace);
      }
    }
    return names;
  }

  private void addExpanded(Set<String> names, String name, String clientNamespace) {
    names.add(name);
    int labels = name.split("\\.", -1).length;
    boolean endsWithSvc = name.endsWith(".svc");
    if (labels == 2 || labels == 3) {
      if (labels == 3 && endsWithSvc) {
        names.add(name + "." + clusterDomain);
      }
      names.add(name + ".svc." + clusterDomain);
    }
    if (labels <= 2) {
      names.add(name + "." + clientNamespace + ".svc." + clusterDomain);
    }
    if (labels == 4 && endsWithSvc) {
      names.add(name + "." + clusterDomain);
    }
  }
}
