// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.hbone.WorkloadType;
import io.heddle.internal.net.IpAddresses;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that takes part in traffic: a pod, a virtual machine, an external entry. Field meanings
 * are those of the workload discovery protocol.
 *
 * @param uid primary key; every source of state removes it by this
 * @param name the name of the pod or entry
 * @param namespace its namespace
 * @param trustDomain the trust domain of its identity
 * @param serviceAccount the service account of its identity
 * @param clusterId the cluster it runs in
 * @param network the network its addresses belong to, empty for the default one
 * @param addresses its addresses in canonical form; may be empty
 * @param hostname the name to resolve when it has no address, or empty
 * @param node the node it runs on
 * @param protocol how it is reached
 * @param networkMode whether the addresses are its own
 * @param status whether it takes traffic
 * @param nativeTunnel whether it ends tunnels itself
 * @param applicationTunnel how its application wants tunnels handed over
 * @param waypoint the waypoint for traffic to its own addresses
 * @param networkGateway the gateway for clients of other networks
 * @param workloadName the name of its owner, for telemetry
 * @param workloadType the kind of its owner, for telemetry
 * @param canonicalName for telemetry
 * @param canonicalRevision for telemetry
 * @param authorizationPolicies the selector policies that apply to it, as namespace/name
 * @param locality where it runs
 * @param services the services it serves, with its ports for each
 * @param capacity its share of traffic; 0 is never chosen
 */
public record Workload(
    String uid,
    String name,
    String namespace,
    String trustDomain,
    String serviceAccount,
    String clusterId,
    String network,
    List<InetAddress> addresses,
    String hostname,
    String node,
    Protocol protocol,
    NetworkMode networkMode,
    HealthStatus status,
    boolean nativeTunnel,
    @Nullable ApplicationTunnel applicationTunnel,
    @Nullable GatewayAddress waypoint,
    @Nullable GatewayAddress networkGateway,
    String workloadName,
    WorkloadType workloadType,
    String canonicalName,
    String canonicalRevision,
    List<String> authorizationPolicies,
    Locality locality,
    Map<NamespacedHostname, PortMap> services,
    long capacity)
    implements MeshAddress {

  /** Copies the collections, brings addresses to canonical form and checks what has a range. */
  public Workload {
    if (uid.isEmpty()) {
      throw new IllegalArgumentException("workload without uid");
    }
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity " + capacity + " (expected: 0 or more)");
    }
    addresses = addresses.stream().map(IpAddresses::canonical).distinct().toList();
    authorizationPolicies = List.copyOf(authorizationPolicies);
    services = Map.copyOf(services);
  }

  @Override
  public String resourceName() {
    return uid;
  }

  /** Whether one of its addresses is the given one, in canonical form. */
  public boolean hasAddress(InetAddress address) {
    return addresses.contains(address);
  }

  /** Whether it is found by its addresses: an address shared with a node names nobody. */
  boolean isIndexedByAddress() {
    return networkMode == NetworkMode.STANDARD;
  }

  /** Starts a workload; what is not set is empty or the protocol's zero, and the capacity 1. */
  public static Builder builder(String uid) {
    return new Builder(uid);
  }

  /** Collects the components of a workload, each described there. */
  public static final class Builder {
    private final String uid;
    private String name = "";
    private String namespace = "";
    private String trustDomain = "";
    private String serviceAccount = "";
    private String clusterId = "";
    private String network = "";
    private List<InetAddress> addresses = List.of();
    private String hostname = "";
    private String node = "";
    private Protocol protocol = Protocol.TCP;
    private NetworkMode networkMode = NetworkMode.STANDARD;
    private HealthStatus status = HealthStatus.HEALTHY;
    private boolean nativeTunnel;
    private @Nullable ApplicationTunnel applicationTunnel;
    private @Nullable GatewayAddress waypoint;
    private @Nullable GatewayAddress networkGateway;
    private String workloadName = "";
    private WorkloadType workloadType = WorkloadType.DEPLOYMENT;
    private String canonicalName = "";
    private String canonicalRevision = "";
    private List<String> authorizationPolicies = List.of();
    private Locality locality = Locality.UNKNOWN;
    private Map<NamespacedHostname, PortMap> services = Map.of();
    private long capacity = 1;

    private Builder(String uid) {
      this.uid = uid;
    }

    public Builder name(String name) {
      this.name = name;
      return this;
    }

    public Builder namespace(String namespace) {
      this.namespace = namespace;
      return this;
    }

    public Builder trustDomain(String trustDomain) {
      this.trustDomain = trustDomain;
      return this;
    }

    public Builder serviceAccount(String serviceAccount) {
      this.serviceAccount = serviceAccount;
      return this;
    }

    public Builder clusterId(String clusterId) {
      this.clusterId = clusterId;
      return this;
    }

    public Builder network(String network) {
      this.network = network;
      return this;
    }

    public Builder addresses(List<InetAddress> addresses) {
      this.addresses = addresses;
      return this;
    }

    public Builder hostname(String hostname) {
      this.hostname = hostname;
      return this;
    }

    public Builder node(String node) {
      this.node = node;
      return this;
    }

    public Builder protocol(Protocol protocol) {
      this.protocol = protocol;
      return this;
    }

    public Builder networkMode(NetworkMode networkMode) {
      this.networkMode = networkMode;
      return this;
    }

    public Builder status(HealthStatus status) {
      this.status = status;
      return this;
    }

    public Builder nativeTunnel(boolean nativeTunnel) {
      this.nativeTunnel = nativeTunnel;
      return this;
    }

    public Builder applicationTunnel(@Nullable ApplicationTunnel applicationTunnel) {
      this.applicationTunnel = applicationTunnel;
      return this;
    }

    public Builder waypoint(@Nullable GatewayAddress waypoint) {
      this.waypoint = waypoint;
      return this;
    }

    public Builder networkGateway(@Nullable GatewayAddress networkGateway) {
      this.networkGateway = networkGateway;
      return this;
    }

    public Builder workloadName(String workloadName) {
      this.workloadName = workloadName;
      return this;
    }

    public Builder workloadType(WorkloadType workloadType) {
      this.workloadType = workloadType;
      return this;
    }

    public Builder canonicalName(String canonicalName) {
      this.canonicalName = canonicalName;
      return this;
    }

    public Builder canonicalRevision(String canonicalRevision) {
      this.canonicalRevision = canonicalRevision;
      return this;
    }

    public Builder authorizationPolicies(List<String> authorizationPolicies) {
      this.authorizationPolicies = authorizationPolicies;
      return this;
    }

    public Builder locality(Locality locality) {
      this.locality = locality;
      return this;
    }

    public Builder services(Map<NamespacedHostname, PortMap> services) {
      this.services = services;
      return this;
    }

    public Builder capacity(long capacity) {
      this.capacity = capacity;
      return this;
    }

    /**
     * Makes the workload.
     *
     * @throws IllegalArgumentException if a part is out of range
     */
    public Workload build() {
      return new Workload(
          uid,
          name,
          namespace,
          trustDomain,
          serviceAccount,
          clusterId,
          network,
          addresses,
          hostname,
          node,
          protocol,
          networkMode,
          status,
          nativeTunnel,
          applicationTunnel,
          waypoint,
          networkGateway,
          workloadName,
          workloadType,
          canonicalName,
          canonicalRevision,
          authorizationPolicies,
          locality,
          services,
          capacity);
    }
  }
}
