// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A name under which endpoints are reached. Its endpoints are not part of it: they come from the
 * workloads, see {@link MeshSnapshot#endpoints}.
 *
 * @param name its name
 * @param key its namespace and full host name, under which workloads refer to it
 * @param vips its addresses; empty for a headless service
 * @param cidrVips its address ranges
 * @param ports its ports and the ports behind them; a target of 0 is named and taken from the
 *     endpoint
 * @param subjectAltNames SPIFFE ids that an endpoint may have besides its own
 * @param waypoint the waypoint for traffic addressed to the service
 * @param weightedWaypoints waypoints among which to spread connections; go before {@code waypoint}
 * @param loadBalancing how an endpoint is chosen
 * @param ipFamilies the families in which endpoints are reached
 * @param canonical whether it is the preferred owner of its host name
 * @param visibility who sees it
 */
public record Service(
    String name,
    NamespacedHostname key,
    List<NetworkAddress> vips,
    List<NetworkCidr> cidrVips,
    PortMap ports,
    List<String> subjectAltNames,
    @Nullable GatewayAddress waypoint,
    List<WeightedWaypoint> weightedWaypoints,
    LoadBalancing loadBalancing,
    IpFamilies ipFamilies,
    boolean canonical,
    Visibility visibility)
    implements MeshAddress {

  /** Copies the collections. */
  public Service {
    if (key.hostname().isEmpty()) {
      throw new IllegalArgumentException("service without hostname");
    }
    vips = vips.stream().distinct().toList();
    cidrVips = List.copyOf(cidrVips);
    subjectAltNames = List.copyOf(subjectAltNames);
    weightedWaypoints = List.copyOf(weightedWaypoints);
  }

  /** Its namespace. */
  public String namespace() {
    return key.namespace();
  }

  /** Its full host name. */
  public String hostname() {
    return key.hostname();
  }

  @Override
  public String resourceName() {
    return key.toString();
  }

  /** Whether it exists for clients of a namespace; null stands for a client that sees all. */
  public boolean isVisibleTo(@Nullable String clientNamespace) {
    return visibility == Visibility.PUBLIC
        || clientNamespace == null
        || clientNamespace.equals(namespace());
  }

  /** Whether one of its addresses is the given one, in canonical form. */
  boolean hasVip(String network, InetAddress address) {
    for (int i = 0; i < vips.size(); i++) {
      NetworkAddress vip = vips.get(i);
      if (vip.address().equals(address) && vip.network().equals(network)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an endpoint in the given condition is kept. */
  boolean admits(HealthStatus status) {
    return status == HealthStatus.HEALTHY
        || loadBalancing.healthPolicy() == LoadBalancing.HealthPolicy.ALLOW_ALL;
  }

  /** Starts a service; what is not set is empty or the protocol's zero. */
  public static Builder builder(String name, String namespace, String hostname) {
    return builder(name, new NamespacedHostname(namespace, hostname));
  }

  /** Starts a service with a key that others may share. */
  public static Builder builder(String name, NamespacedHostname key) {
    return new Builder(name, key);
  }

  /** Collects the components of a service, each described there. */
  public static final class Builder {
    private final String name;
    private final NamespacedHostname key;
    private List<NetworkAddress> vips = List.of();
    private List<NetworkCidr> cidrVips = List.of();
    private PortMap ports = PortMap.EMPTY;
    private List<String> subjectAltNames = List.of();
    private @Nullable GatewayAddress waypoint;
    private List<WeightedWaypoint> weightedWaypoints = List.of();
    private LoadBalancing loadBalancing = LoadBalancing.UNSPECIFIED;
    private IpFamilies ipFamilies = IpFamilies.AUTOMATIC;
    private boolean canonical;
    private Visibility visibility = Visibility.PUBLIC;

    private Builder(String name, NamespacedHostname key) {
      this.name = name;
      this.key = key;
    }

    public Builder vips(List<NetworkAddress> vips) {
      this.vips = vips;
      return this;
    }

    public Builder cidrVips(List<NetworkCidr> cidrVips) {
      this.cidrVips = cidrVips;
      return this;
    }

    public Builder ports(PortMap ports) {
      this.ports = ports;
      return this;
    }

    public Builder subjectAltNames(List<String> subjectAltNames) {
      this.subjectAltNames = subjectAltNames;
      return this;
    }

    public Builder waypoint(@Nullable GatewayAddress waypoint) {
      this.waypoint = waypoint;
      return this;
    }

    public Builder weightedWaypoints(List<WeightedWaypoint> weightedWaypoints) {
      this.weightedWaypoints = weightedWaypoints;
      return this;
    }

    public Builder loadBalancing(LoadBalancing loadBalancing) {
      this.loadBalancing = loadBalancing;
      return this;
    }

    public Builder ipFamilies(IpFamilies ipFamilies) {
      this.ipFamilies = ipFamilies;
      return this;
    }

    public Builder canonical(boolean canonical) {
      this.canonical = canonical;
      return this;
    }

    public Builder visibility(Visibility visibility) {
      this.visibility = visibility;
      return this;
    }

    /**
     * Makes the service.
     *
     * @throws IllegalArgumentException if a part is out of range
     */
    public Service build() {
      return new Service(
          name,
          key,
          vips,
          cidrVips,
          ports,
          subjectAltNames,
          waypoint,
          weightedWaypoints,
          loadBalancing,
          ipFamilies,
          canonical,
          visibility);
    }
  }
}
