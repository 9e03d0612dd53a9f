// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.hbone.WorkloadType;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the components of a {@link Workload}, each described there. */
public final class WorkloadBuilder {
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

  WorkloadBuilder(String uid) {
    this.uid = uid;
  }

  public WorkloadBuilder name(String name) {
    this.name = name;
    return this;
  }

  public WorkloadBuilder namespace(String namespace) {
    this.namespace = namespace;
    return this;
  }

  public WorkloadBuilder trustDomain(String trustDomain) {
    this.trustDomain = trustDomain;
    return this;
  }

  public WorkloadBuilder serviceAccount(String serviceAccount) {
    this.serviceAccount = serviceAccount;
    return this;
  }

  public WorkloadBuilder clusterId(String clusterId) {
    this.clusterId = clusterId;
    return this;
  }

  public WorkloadBuilder network(String network) {
    this.network = network;
    return this;
  }

  public WorkloadBuilder addresses(List<InetAddress> addresses) {
    this.addresses = addresses;
    return this;
  }

  public WorkloadBuilder hostname(String hostname) {
    this.hostname = hostname;
    return this;
  }

  public WorkloadBuilder node(String node) {
    this.node = node;
    return this;
  }

  public WorkloadBuilder protocol(Protocol protocol) {
    this.protocol = protocol;
    return this;
  }

  public WorkloadBuilder networkMode(NetworkMode networkMode) {
    this.networkMode = networkMode;
    return this;
  }

  public WorkloadBuilder status(HealthStatus status) {
    this.status = status;
    return this;
  }

  public WorkloadBuilder nativeTunnel(boolean nativeTunnel) {
    this.nativeTunnel = nativeTunnel;
    return this;
  }

  public WorkloadBuilder applicationTunnel(@Nullable ApplicationTunnel applicationTunnel) {
    this.applicationTunnel = applicationTunnel;
    return this;
  }

  public WorkloadBuilder waypoint(@Nullable GatewayAddress waypoint) {
    this.waypoint = waypoint;
    return this;
  }

  public WorkloadBuilder networkGateway(@Nullable GatewayAddress networkGateway) {
    this.networkGateway = networkGateway;
    return this;
  }

  public WorkloadBuilder workloadName(String workloadName) {
    this.workloadName = workloadName;
    return this;
  }

  public WorkloadBuilder workloadType(WorkloadType workloadType) {
    this.workloadType = workloadType;
    return this;
  }

  public WorkloadBuilder canonicalName(String canonicalName) {
    this.canonicalName = canonicalName;
    return this;
  }

  public WorkloadBuilder canonicalRevision(String canonicalRevision) {
    this.canonicalRevision = canonicalRevision;
    return this;
  }

  public WorkloadBuilder authorizationPolicies(List<String> authorizationPolicies) {
    this.authorizationPolicies = authorizationPolicies;
    return this;
  }

  public WorkloadBuilder locality(Locality locality) {
    this.locality = locality;
    return this;
  }

  public WorkloadBuilder services(Map<NamespacedHostname, PortMap> services) {
    this.services = services;
    return this;
  }

  public WorkloadBuilder capacity(long capacity) {
    this.capacity = capacity;
    return this;
  }

  /**
   * Makes the workload.
   *
   * @throws IllegalArgumentException if a part is out of range
   */
  public Workload build() {
    return new Workload(profile(), placement(), name, uid, addresses, status);
  }

  /**
   * Makes the workload of parts that others are made of too.
   *
   * @throws IllegalArgumentException if a part is out of range
   */
  public Workload build(SharedParts parts) {
    return new Workload(profile(parts), placement(parts), name, uid, addresses, status);
  }

  /** Makes only what the workload has in common with its siblings. */
  public WorkloadProfile profile(SharedParts parts) {
    return parts.profile(profile());
  }

  /** Makes only what the workload has in common with its neighbours. */
  public Placement placement(SharedParts parts) {
    return parts.placement(placement());
  }

  private Placement placement() {
    return new Placement(node, locality);
  }

  private WorkloadProfile profile() {
    return new WorkloadProfile(
        namespace,
        trustDomain,
        serviceAccount,
        clusterId,
        network,
        hostname,
        protocol,
        networkMode,
        nativeTunnel,
        applicationTunnel,
        waypoint,
        networkGateway,
        workloadName,
        workloadType,
        canonicalName,
        canonicalRevision,
        authorizationPolicies,
        services,
        capacity);
  }
}
