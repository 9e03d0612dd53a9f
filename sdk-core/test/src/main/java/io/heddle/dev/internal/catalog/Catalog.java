// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.catalog;

import io.heddle.internal.local.LocalConfig;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Everything that is announced at one moment. Immutable. */
public final class Catalog {

  private final Map<String, Announcement> workloads = new LinkedHashMap<>();
  private final Map<String, Announcement> services = new LinkedHashMap<>();
  private final Map<String, Announcement> policies = new LinkedHashMap<>();
  private final Map<String, List<String>> workloadsByAddress = new LinkedHashMap<>();
  private final Map<String, List<String>> servicesByVip = new LinkedHashMap<>();
  private final Map<String, List<String>> membersOfService = new LinkedHashMap<>();
  private final List<Workload> pods;

  private Catalog(LocalConfig config) {
    pods = config.workloads();
    pods.forEach(this::add);
    config.services().forEach(this::add);
    config.policies().forEach(this::add);
  }

  /** The messages of a valid state. */
  public static Catalog of(LocalConfig config) {
    return new Catalog(config);
  }

  private void add(Workload workload) {
    List<String> aliases =
        workload.addresses().stream()
            .map(address -> new NetworkAddress(workload.network(), address).toString())
            .toList();
    String uid = workload.uid();
    workloads.put(
        uid, Announcement.of(uid, aliases, workload.node(), AddressMessages.of(workload)));
    aliases.forEach(alias -> list(workloadsByAddress, alias).add(uid));
    workload.services().keySet().forEach(key -> list(membersOfService, key.toString()).add(uid));
  }

  private void add(Service service) {
    List<String> aliases = new ArrayList<>();
    service.vips().forEach(vip -> aliases.add(vip.toString()));
    service.cidrVips().forEach(range -> aliases.add(range.toString()));
    String name = service.resourceName();
    services.put(name, Announcement.of(name, aliases, "", AddressMessages.of(service)));
    aliases.forEach(alias -> list(servicesByVip, alias).add(name));
  }

  private void add(AuthorizationPolicy policy) {
    policies.put(
        policy.key(), Announcement.of(policy.key(), List.of(), "", PolicyMessages.of(policy)));
  }

  /** The workloads that it was made of. */
  public List<Workload> pods() {
    return pods;
  }

  /** All workloads and services, by primary name. */
  public Map<String, Announcement> addresses() {
    Map<String, Announcement> all = new LinkedHashMap<>(workloads);
    all.putAll(services);
    return all;
  }

  /** All policies, by name. */
  public Map<String, Announcement> policies() {
    return Collections.unmodifiableMap(policies);
  }

  /**
   * What a name stands for, in istiod's order: workload, workload address, service, VIP; a service
   * brings all its workloads (control-plane reference 2.3). Empty when it is unknown.
   */
  public Collection<Announcement> find(String name) {
    Announcement workload = workloads.get(name);
    if (workload != null) {
      return List.of(workload);
    }
    List<String> uids = workloadsByAddress.get(name);
    if (uids != null) {
      return uids.stream().map(uid -> get(workloads, uid)).toList();
    }
    if (services.containsKey(name)) {
      return withMembers(List.of(name));
    }
    return withMembers(servicesByVip.getOrDefault(name, List.of()));
  }

  private Collection<Announcement> withMembers(List<String> names) {
    Map<String, Announcement> found = new LinkedHashMap<>();
    for (String name : names) {
      found.put(name, get(services, name));
      membersOfService
          .getOrDefault(name, List.of())
          .forEach(uid -> found.put(uid, get(workloads, uid)));
    }
    return found.values();
  }

  /** The names of all workloads of a node. */
  public List<String> workloadsOfNode(String node) {
    return workloads.values().stream()
        .filter(workload -> workload.node().equals(node))
        .map(Announcement::name)
        .toList();
  }

  /** What is different in the next catalog: added, changed or gone. */
  public CatalogChange to(Catalog next) {
    return new CatalogChange(
        differences(addresses(), next.addresses()), differences(policies, next.policies));
  }

  private static Set<String> differences(
      Map<String, Announcement> before, Map<String, Announcement> after) {
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    names.removeIf(name -> version(before, name).equals(version(after, name)));
    return names;
  }

  private static String version(Map<String, Announcement> among, String name) {
    @Nullable Announcement found = among.get(name);
    return found == null ? "" : found.version();
  }

  private static List<String> list(Map<String, List<String>> lists, String key) {
    return lists.computeIfAbsent(key, any -> new ArrayList<>());
  }

  private static Announcement get(Map<String, Announcement> among, String name) {
    Announcement found = among.get(name);
    if (found == null) {
      throw new IllegalStateException("the catalog's index names " + name + ", which is not in it");
    }
    return found;
  }
}
