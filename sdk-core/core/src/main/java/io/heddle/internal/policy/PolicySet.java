// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All policies of the mesh at one moment, indexed by the destinations to which they apply.
 * Immutable; any thread may read, one writer makes the next set.
 *
 * <p>Policies are known by the names of their resources, which workloads refer to. A workload may
 * name a policy that is not here. If it was here and has been removed, it is left out: the control
 * plane withdrew it and the workload's own update is on its way. If it never was here, connections
 * are refused as {@link UnknownPolicies} says.
 */
public final class PolicySet {

  /**
   * How many removed names are remembered. A forgotten one only makes the set stricter, and names
   * that workloads still refer to are among the latest.
   */
  private static final int REMEMBERED_REMOVALS = 4096;

  private static final Logger log = LoggerFactory.getLogger(PolicySet.class);

  private record Destination(String namespace, List<String> policyNames) {}

  private final UnknownPolicies unknownPolicies;
  private final Map<String, AuthorizationPolicy> byName;
  private final Map<String, List<String>> warningsByName;
  private final Set<String> removed;
  private final List<AuthorizationPolicy> global = new ArrayList<>();
  private final Map<String, List<AuthorizationPolicy>> byNamespace = new HashMap<>();

  /** Only the workloads of this process, or of this node's pods, are ever asked for. */
  private final Map<Destination, CompiledPolicies> compiled = new ConcurrentHashMap<>();

  private PolicySet(
      UnknownPolicies unknownPolicies,
      Map<String, AuthorizationPolicy> byName,
      Map<String, List<String>> warningsByName,
      Set<String> removed) {
    this.unknownPolicies = unknownPolicies;
    this.byName = Collections.unmodifiableMap(byName);
    this.warningsByName = warningsByName;
    this.removed = removed;
    for (AuthorizationPolicy policy : byName.values()) {
      if (policy.scope() == Scope.GLOBAL) {
        global.add(policy);
      } else if (policy.scope() == Scope.NAMESPACE) {
        byNamespace.computeIfAbsent(policy.namespace(), unused -> new ArrayList<>()).add(policy);
      }
    }
  }

  /** A set without policies. */
  public static PolicySet empty(UnknownPolicies unknownPolicies) {
    return new PolicySet(unknownPolicies, Map.of(), Map.of(), Set.of());
  }

  /**
   * A set of policies, each named {@code namespace/name}, that refuses what it does not know.
   *
   * @throws IllegalArgumentException if two have the same name
   */
  public static PolicySet of(Collection<AuthorizationPolicy> policies) {
    Map<String, AuthorizationPolicy> byName = new LinkedHashMap<>();
    for (AuthorizationPolicy policy : policies) {
      if (byName.put(policy.key(), policy) != null) {
        throw new IllegalArgumentException("two policies are named " + policy.key());
      }
    }
    return empty(UnknownPolicies.REFUSE).with(byName, Set.of());
  }

  /**
   * The set after one update.
   *
   * @param changed new and changed policies by the names of their resources
   * @param withdrawn the names of removed policies
   */
  public PolicySet with(Map<String, AuthorizationPolicy> changed, Collection<String> withdrawn) {
    Map<String, AuthorizationPolicy> policies = new LinkedHashMap<>(byName);
    Map<String, List<String>> warnings = new LinkedHashMap<>(warningsByName);
    Set<String> gone = new LinkedHashSet<>(removed);
    for (String name : withdrawn) {
      warnings.remove(name);
      if (policies.remove(name) != null) {
        gone.remove(name);
        gone.add(name);
      }
    }
    changed.forEach(
        (name, policy) -> {
          policies.put(name, policy);
          gone.remove(name);
          List<String> found = PolicyWarnings.of(policy);
          if (found.isEmpty()) {
            warnings.remove(name);
          } else if (!found.equals(warnings.put(name, found))) {
            found.forEach(log::warn);
          }
        });
    forgetOldest(gone);
    return new PolicySet(unknownPolicies, policies, warnings, gone);
  }

  private static void forgetOldest(Set<String> names) {
    var oldest = names.iterator();
    for (int excess = names.size() - REMEMBERED_REMOVALS; excess > 0; excess--) {
      oldest.next();
      oldest.remove();
    }
  }

  /** The policies by the names of their resources. */
  public Map<String, AuthorizationPolicy> policies() {
    return byName;
  }

  /** What is legal in these policies and surely not meant, one line each. */
  public List<String> warnings() {
    return warningsByName.values().stream().flatMap(List::stream).toList();
  }

  /**
   * The policies of one destination workload, compiled at the first request and kept.
   *
   * @param namespace the workload's namespace
   * @param policyNames the policies that the workload names
   */
  public CompiledPolicies forDestination(String namespace, List<String> policyNames) {
    return compiled.computeIfAbsent(
        new Destination(namespace, List.copyOf(policyNames)), this::compile);
  }

  private CompiledPolicies compile(Destination destination) {
    Set<AuthorizationPolicy> effective = Collections.newSetFromMap(new IdentityHashMap<>());
    effective.addAll(byNamespace.getOrDefault(destination.namespace(), List.of()));
    effective.addAll(global);
    List<String> notArrived = new ArrayList<>();
    for (String name : destination.policyNames()) {
      @Nullable AuthorizationPolicy policy = byName.get(name);
      if (policy != null) {
        effective.add(policy);
      } else if (!removed.contains(name) && unknownPolicies == UnknownPolicies.REFUSE) {
        notArrived.add(name);
      }
    }
    // Sorted, so that the policy which a verdict names does not depend on the order of arrival.
    Stream<AuthorizationPolicy> applicable =
        effective.stream().sorted(Comparator.comparing(AuthorizationPolicy::key));
    if (unknownPolicies == UnknownPolicies.IGNORE) {
      applicable = applicable.filter(policy -> policy.defect() == null);
    }
    return new CompiledPolicies(applicable.toList(), notArrived);
  }
}
