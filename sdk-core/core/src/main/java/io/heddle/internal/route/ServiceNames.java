// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Service;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the service that a host name means to a client, as the peers' DNS would (HBONE reference
 * 6): full and short Kubernetes names, search domains and wildcards.
 */
public final class ServiceNames {

  private final String clusterDomain;
  private final @Nullable String preferredNamespace;

  /**
   * Finds services by Kubernetes' names.
   *
   * @param clusterDomain the domain of such names
   * @param preferredNamespace whose service is meant by a name that several namespaces have, or
   *     null
   */
  public ServiceNames(String clusterDomain, @Nullable String preferredNamespace) {
    this.clusterDomain = clusterDomain;
    this.preferredNamespace = preferredNamespace;
  }

  /**
   * A service that a name means.
   *
   * @param service the service
   * @param alias what is left of the name without the search domain that a resolver had added; null
   *     if there was none, or if any name would have done
   */
  public record Found(Service service, @Nullable String alias) {}

  /**
   * A name that the client may mean.
   *
   * @param name in full
   * @param stripped what is left of the client's name without a search domain, or null
   */
  private record Candidate(String name, @Nullable String stripped) {}

  /**
   * The service, or null when the name has to be asked of DNS. Case and a last dot do not count.
   */
  public @Nullable Found find(MeshSnapshot state, String hostname, String clientNamespace) {
    String name = hostname.toLowerCase(Locale.ROOT);
    String relative = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    for (Candidate candidate : expand(relative, clientNamespace)) {
      Service exact =
          answered(state.serviceByHostname(candidate.name(), clientNamespace, preferredNamespace));
      if (exact != null) {
        return new Found(exact, candidate.stripped());
      }
      Service wildcard = findWildcard(state, candidate.name(), clientNamespace);
      if (wildcard != null) {
        return new Found(wildcard, null);
      }
    }
    return null;
  }

  private @Nullable Service findWildcard(MeshSnapshot state, String name, String clientNamespace) {
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      String wildcard = "*" + name.substring(dot);
      Service service =
          answered(state.serviceByHostname(wildcard, clientNamespace, preferredNamespace));
      if (service != null) {
        return service;
      }
    }
    return null;
  }

  /** Without an address of its own a name is DNS's, unless it is a headless Kubernetes service. */
  private @Nullable Service answered(@Nullable Service service) {
    return service != null
            && (!service.vips().isEmpty() || service.hostname().endsWith(".svc." + clusterDomain))
        ? service
        : null;
  }

  /** All names that the client may mean, the likeliest first. */
  Set<String> candidates(String hostname, String clientNamespace) {
    return expand(hostname, clientNamespace).stream()
        .map(Candidate::name)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private List<Candidate> expand(String hostname, String clientNamespace) {
    List<Candidate> candidates = new ArrayList<>();
    expanded(hostname, clientNamespace).forEach(name -> candidates.add(new Candidate(name, null)));
    List<String> searchDomains =
        List.of(
            "." + clientNamespace + ".svc." + clusterDomain,
            ".svc." + clusterDomain,
            "." + clusterDomain);
    for (String domain : searchDomains) {
      if (hostname.endsWith(domain) && hostname.length() > domain.length()) {
        String stripped = hostname.substring(0, hostname.length() - domain.length());
        expanded(stripped, clientNamespace)
            .forEach(name -> candidates.add(new Candidate(name, stripped)));
      }
    }
    return candidates;
  }

  private List<String> expanded(String name, String clientNamespace) {
    List<String> names = new ArrayList<>();
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
    return names;
  }
}
