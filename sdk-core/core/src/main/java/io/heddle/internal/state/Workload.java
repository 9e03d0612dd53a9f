// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.hbone.WorkloadType;
import io.heddle.internal.net.IpAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that takes part in traffic: a pod, a virtual machine, an external entry. Field meanings
 * are those of the workload discovery protocol.
 *
 * <p>There may be very many. So what a workload has in common with its siblings, and with its
 * neighbours on a node, is kept once; its name is kept as bytes, and a pod's uid and IPv4 address
 * are made when they are asked for.
 */
public final class Workload implements MeshAddress {

  private final WorkloadProfile profile;
  private final Placement placement;
  private final byte[] name;

  /** Null when it is the one that Istio gives to a pod of this name. */
  private final @Nullable String uid;

  /** Null when {@link #ipv4} is the only one. */
  private final @Nullable List<InetAddress> addresses;

  private final int ipv4;
  private final HealthStatus status;

  Workload(
      WorkloadProfile profile,
      Placement placement,
      String name,
      String uid,
      List<InetAddress> addresses,
      HealthStatus status) {
    if (uid.isEmpty()) {
      throw new IllegalArgumentException("workload without uid");
    }
    this.profile = profile;
    this.placement = placement;
    this.name = CompactName.of(name);
    boolean derived =
        CompactName.isPodUid(uid, profile.clusterId(), profile.namespace(), this.name);
    this.uid = derived ? null : uid;
    if (addresses.size() == 1 && addresses.get(0) instanceof Inet4Address only) {
      this.addresses = null;
      this.ipv4 = IpAddresses.ipv4Bits(only);
    } else {
      this.addresses = addresses.stream().map(IpAddresses::canonical).distinct().toList();
      this.ipv4 = 0;
    }
    this.status = status;
  }

  private Workload(
      WorkloadProfile profile, Placement placement, byte[] name, int ipv4, HealthStatus status) {
    this.profile = profile;
    this.placement = placement;
    this.name = name;
    this.uid = null;
    this.addresses = null;
    this.ipv4 = ipv4;
    this.status = status;
  }

  /**
   * Makes a pod with one IPv4 address, of bytes as they are sent.
   *
   * @param source where its name and uid are
   * @return the pod, or null if the name is not plain or the uid does not follow from it
   */
  public static @Nullable Workload pod(
      WorkloadProfile profile,
      Placement placement,
      byte[] source,
      int nameFrom,
      int nameTo,
      int uidFrom,
      int uidTo,
      int ipv4,
      HealthStatus status) {
    byte[] name = Arrays.copyOfRange(source, nameFrom, nameTo);
    return CompactName.isPodUid(
            source, uidFrom, uidTo, profile.clusterId(), profile.namespace(), name)
        ? new Workload(profile, placement, name, ipv4, status)
        : null;
  }

  /** Primary key; every source of state removes it by this. */
  public String uid() {
    return uid != null ? uid : CompactName.podUid(profile.clusterId(), profile.namespace(), name);
  }

  /** The name of the pod or entry. */
  public String name() {
    return CompactName.text(name);
  }

  /** Its namespace. */
  public String namespace() {
    return profile.namespace();
  }

  /** The trust domain of its identity. */
  public String trustDomain() {
    return profile.trustDomain();
  }

  /** The service account of its identity. */
  public String serviceAccount() {
    return profile.serviceAccount();
  }

  /** The cluster it runs in. */
  public String clusterId() {
    return profile.clusterId();
  }

  /** The network its addresses belong to, empty for the default one. */
  public String network() {
    return profile.network();
  }

  /** Its addresses in canonical form; may be empty. */
  public List<InetAddress> addresses() {
    return addresses != null ? addresses : List.of(IpAddresses.ofIpv4Bits(ipv4));
  }

  /** The name to resolve when it has no address, or empty. */
  public String hostname() {
    return profile.hostname();
  }

  /** The node it runs on. */
  public String node() {
    return placement.node();
  }

  /** How it is reached. */
  public Protocol protocol() {
    return profile.protocol();
  }

  /** Whether the addresses are its own. */
  public NetworkMode networkMode() {
    return profile.networkMode();
  }

  /** Whether it takes traffic. */
  public HealthStatus status() {
    return status;
  }

  /** Whether it ends tunnels itself. */
  public boolean nativeTunnel() {
    return profile.nativeTunnel();
  }

  /** How its application wants tunnels handed over. */
  public @Nullable ApplicationTunnel applicationTunnel() {
    return profile.applicationTunnel();
  }

  /** The waypoint for traffic to its own addresses. */
  public @Nullable GatewayAddress waypoint() {
    return profile.waypoint();
  }

  /** The gateway for clients of other networks. */
  public @Nullable GatewayAddress networkGateway() {
    return profile.networkGateway();
  }

  /** The name of its owner, for telemetry. */
  public String workloadName() {
    return profile.workloadName();
  }

  /** The kind of its owner, for telemetry. */
  public WorkloadType workloadType() {
    return profile.workloadType();
  }

  /** For telemetry. */
  public String canonicalName() {
    return profile.canonicalName();
  }

  /** For telemetry. */
  public String canonicalRevision() {
    return profile.canonicalRevision();
  }

  /** The selector policies that apply to it, as namespace/name. */
  public List<String> authorizationPolicies() {
    return profile.authorizationPolicies();
  }

  /** Where it runs. */
  public Locality locality() {
    return placement.locality();
  }

  /** The services it serves, with its ports for each. */
  public Map<NamespacedHostname, PortMap> services() {
    return profile.services();
  }

  /** Its share of traffic; 0 is never chosen. */
  public long capacity() {
    return profile.capacity();
  }

  @Override
  public String resourceName() {
    return uid();
  }

  /** Whether one of its addresses is the given one, in canonical form. */
  public boolean hasAddress(InetAddress address) {
    if (addresses != null) {
      return addresses.contains(address);
    }
    return address instanceof Inet4Address other && IpAddresses.ipv4Bits(other) == ipv4;
  }

  /** Whether its uid is the given one; unlike asking for the uid, this makes no text. */
  public boolean hasUid(String other) {
    return uid != null
        ? uid.equals(other)
        : CompactName.isPodUid(other, profile.clusterId(), profile.namespace(), name);
  }

  /** Whether it has the same uid as another. */
  boolean hasUidOf(Workload other) {
    if (uid != null) {
      return other.hasUid(uid);
    }
    boolean sameNames =
        other.uid == null
            && Arrays.equals(name, other.name)
            && profile.namespace().equals(other.profile.namespace())
            && profile.clusterId().equals(other.profile.clusterId());
    return sameNames || hasUid(other.uid());
  }

  /** The hash of its uid. */
  int uidHash() {
    return uid != null
        ? uid.hashCode()
        : CompactName.podUidHash(profile.clusterId(), profile.namespace(), name);
  }

  /** The hash of namespace and name. */
  int nameHash() {
    return CompactName.hash(profile.namespace(), name);
  }

  /** Whether its uid follows from its cluster, namespace and name, as a pod's does. */
  boolean hasDerivedUid() {
    return uid == null;
  }

  /** The addresses by which it is found: one shared with a node names nobody. */
  List<InetAddress> indexedAddresses() {
    return profile.networkMode() == NetworkMode.STANDARD ? addresses() : List.of();
  }

  /** Whether it is found by the same addresses as another. */
  boolean isFoundLike(Workload other) {
    return profile.networkMode() == other.profile.networkMode()
        && profile.network().equals(other.profile.network())
        && ipv4 == other.ipv4
        && Objects.equals(addresses, other.addresses);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Workload that
            && profile.equals(that.profile)
            && placement.equals(that.placement)
            && status == that.status
            && ipv4 == that.ipv4
            && Arrays.equals(name, that.name)
            && Objects.equals(uid, that.uid)
            && Objects.equals(addresses, that.addresses));
  }

  @Override
  public int hashCode() {
    return uidHash();
  }

  @Override
  public String toString() {
    return uid();
  }

  /** Starts a workload; what is not set is empty or the protocol's zero, and the capacity 1. */
  public static WorkloadBuilder builder(String uid) {
    return new WorkloadBuilder(uid);
  }
}
