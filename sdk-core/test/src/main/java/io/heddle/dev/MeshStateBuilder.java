// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.hbone.WorkloadType;
import io.heddle.internal.local.LocalConfig;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.policy.Action;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.Scope;
import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Collects a {@link MeshState}. Things are named {@code namespace/name}; what is added under a name
 * that is taken takes its place. Not thread-safe.
 */
public final class MeshStateBuilder {

  private static final String CLUSTER = "Kubernetes";
  private static final String CLUSTER_DOMAIN = ".svc.cluster.local";

  private final Map<String, Workload> workloads = new LinkedHashMap<>();
  private final Map<String, Service> services = new LinkedHashMap<>();
  private final Map<String, AuthorizationPolicy> policies = new LinkedHashMap<>();
  private final Set<String> strictNamespaces = new TreeSet<>();

  MeshStateBuilder() {}

  /**
   * A pod with the SDK in it, whose service account is named as itself.
   *
   * @param name {@code namespace/name}
   * @param addresses its addresses
   * @return this builder
   */
  public MeshStateBuilder workload(String name, String... addresses) {
    NamespacedName pod = NamespacedName.parse(name);
    workloads.put(
        name,
        Workload.builder(CLUSTER + "//Pod/" + name)
            .name(pod.name())
            .namespace(pod.namespace())
            .serviceAccount(pod.name())
            .trustDomain("cluster.local")
            .clusterId(CLUSTER)
            .workloadType(WorkloadType.POD)
            .workloadName(pod.name())
            .canonicalName(pod.name())
            .canonicalRevision("latest")
            .protocol(Protocol.HBONE)
            .nativeTunnel(true)
            .addresses(Arrays.stream(addresses).map(MeshStateBuilder::address).toList())
            .build());
    return this;
  }

  /**
   * Puts a workload on a Kubernetes node.
   *
   * @param workload {@code namespace/name} of a workload that is here
   * @param node the node's name
   * @return this builder
   */
  public MeshStateBuilder node(String workload, String node) {
    return change(workload, known -> Workloads.onNode(known, node));
  }

  /**
   * A service whose endpoints are exactly the given workloads. Its host name is that of a
   * Kubernetes service in {@code cluster.local}.
   *
   * @param name {@code namespace/name}
   * @param vip its address
   * @param port what clients dial
   * @param targetPort where the workloads serve it
   * @param endpoints {@code namespace/name} of workloads that are here
   * @return this builder
   */
  public MeshStateBuilder service(
      String name, String vip, int port, int targetPort, String... endpoints) {
    NamespacedName service = NamespacedName.parse(name);
    InetAddress address = address(vip);
    PortMap ports = PortMap.of(Map.of(port, targetPort));
    NamespacedHostname key =
        new NamespacedHostname(
            service.namespace(), service.name() + "." + service.namespace() + CLUSTER_DOMAIN);
    services.put(
        name,
        Service.builder(service.name(), service.namespace(), key.hostname())
            .vips(List.of(new NetworkAddress("", address)))
            .ipFamilies(
                address instanceof Inet4Address ? IpFamilies.IPV4_ONLY : IpFamilies.IPV6_ONLY)
            .ports(ports)
            .canonical(true)
            .build());
    leave(key);
    for (String endpoint : endpoints) {
      Map<NamespacedHostname, PortMap> served = new HashMap<>(known(endpoint).services());
      served.put(key, ports);
      change(endpoint, known -> Workloads.serving(known, served));
    }
    return this;
  }

  /**
   * A policy by which only the given callers, and those of other such policies, reach a workload.
   *
   * @param name {@code namespace/name} of the policy
   * @param workload {@code namespace/name} of a workload of that namespace that is here
   * @param callers service accounts as {@code namespace/name}; none admits nobody
   * @return this builder
   */
  public MeshStateBuilder allow(String name, String workload, String... callers) {
    return policy(name, Action.ALLOW, workload, callers);
  }

  /**
   * A policy by which the given callers do not reach a workload, whatever allows it.
   *
   * @param name {@code namespace/name} of the policy
   * @param workload {@code namespace/name} of a workload of that namespace that is here
   * @param callers service accounts as {@code namespace/name}
   * @return this builder
   */
  public MeshStateBuilder deny(String name, String workload, String... callers) {
    return policy(name, Action.DENY, workload, callers);
  }

  private MeshStateBuilder policy(String name, Action action, String workload, String... callers) {
    NamespacedName policy = NamespacedName.parse(name);
    policies.put(
        name,
        new AuthorizationPolicy(
            policy.namespace(),
            policy.name(),
            Scope.WORKLOAD_SELECTOR,
            action,
            /* dryRun= */ false,
            Policies.fromCallers(callers)));
    List<String> attached = new ArrayList<>(known(workload).authorizationPolicies());
    if (!attached.contains(name)) {
      attached.add(name);
    }
    return change(workload, known -> Workloads.selectedBy(known, attached));
  }

  /**
   * Workloads of a namespace take nothing but authenticated tunnels, as by a PeerAuthentication
   * with mode STRICT.
   *
   * @param namespace the namespace
   * @return this builder
   */
  public MeshStateBuilder strict(String namespace) {
    strictNamespaces.add(namespace);
    return this;
  }

  /**
   * Adds all that a text in ztunnel's local format states.
   *
   * @param yaml the text
   * @return this builder
   * @throws IllegalArgumentException with all that is wrong with the text
   */
  public MeshStateBuilder yaml(String yaml) {
    return addAll(MeshState.parse(yaml).config());
  }

  /**
   * Takes a workload out, as when its pod is deleted.
   *
   * @param name {@code namespace/name}
   * @return this builder
   */
  public MeshStateBuilder removeWorkload(String name) {
    known(name);
    workloads.remove(name);
    return this;
  }

  /**
   * Takes a service out. Its workloads stay.
   *
   * @param name {@code namespace/name}
   * @return this builder
   */
  public MeshStateBuilder removeService(String name) {
    Service removed = services.remove(name);
    if (removed == null) {
      throw new IllegalArgumentException("the state has no service " + name);
    }
    leave(removed.key());
    return this;
  }

  /**
   * Takes a policy out, and its name from the workloads that it selects.
   *
   * @param name {@code namespace/name}
   * @return this builder
   */
  public MeshStateBuilder removePolicy(String name) {
    if (policies.remove(name) == null) {
      throw new IllegalArgumentException("the state has no policy " + name);
    }
    for (String workload : List.copyOf(workloads.keySet())) {
      List<String> attached = new ArrayList<>(known(workload).authorizationPolicies());
      if (attached.remove(name)) {
        change(workload, known -> Workloads.selectedBy(known, attached));
      }
    }
    return this;
  }

  /**
   * Makes the state.
   *
   * @return the state
   */
  public MeshState build() {
    Map<String, AuthorizationPolicy> allPolicies = new LinkedHashMap<>(policies);
    List<Workload> allWorkloads = new ArrayList<>();
    for (Workload workload : workloads.values()) {
      boolean strict = strictNamespaces.contains(workload.namespace());
      allWorkloads.add(strict ? Policies.strict(workload) : workload);
    }
    if (!strictNamespaces.isEmpty()) {
      allPolicies.put(Policies.STATIC_STRICT.key(), Policies.STATIC_STRICT);
    }
    return new MeshState(
        new LocalConfig(
            allWorkloads,
            List.copyOf(services.values()),
            List.copyOf(allPolicies.values()),
            List.of()));
  }

  MeshStateBuilder addAll(LocalConfig config) {
    config.workloads().forEach(added -> workloads.put(key(added.namespace(), added.name()), added));
    config.services().forEach(added -> services.put(key(added.namespace(), added.name()), added));
    config.policies().forEach(added -> policies.put(added.key(), added));
    return this;
  }

  private void leave(NamespacedHostname service) {
    for (String workload : List.copyOf(workloads.keySet())) {
      Map<NamespacedHostname, PortMap> served = new HashMap<>(known(workload).services());
      if (served.remove(service) != null) {
        change(workload, known -> Workloads.serving(known, served));
      }
    }
  }

  private MeshStateBuilder change(String workload, UnaryOperator<Workload> what) {
    workloads.put(workload, what.apply(known(workload)));
    return this;
  }

  private Workload known(String workload) {
    Workload known = workloads.get(workload);
    if (known == null) {
      throw new IllegalArgumentException(
          "the state has no workload " + workload + "; add it before what refers to it");
    }
    return known;
  }

  private static InetAddress address(String literal) {
    InetAddress address = IpAddresses.parse(literal);
    if (address == null) {
      throw new IllegalArgumentException("'" + literal + "' is not an IP address");
    }
    return address;
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }
}
