// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.hbone.Authority;
import io.heddle.internal.inbound.InboundTarget.Rejected;
import io.heddle.internal.inbound.InboundTarget.Resolved;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.route.RouteSettings;
import io.heddle.internal.state.ApplicationTunnel;
import io.heddle.internal.state.Endpoint;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validates and resolves the authority of a CONNECT in the order of HBONE reference 3.3 and 3.4.
 * The target's address is always the one that the connection came in on.
 */
final class TargetResolver {

  private static final int BAD_REQUEST = 400;
  private static final int UNAVAILABLE = 503;

  private TargetResolver() {}

  static InboundTarget resolve(
      MeshSnapshot mesh, Workload own, InetAddress arrivedOn, Authority authority) {
    InetAddress local = IpAddresses.canonical(arrivedOn);
    InboundTarget target =
        authority instanceof Authority.Ip ip
            ? byAddress(mesh, own, local, ip)
            : byName(mesh, own, local, (Authority.Name) authority);
    if (target instanceof Resolved resolved && RouteSettings.MESH_PORTS.contains(resolved.port())) {
      return new Rejected(
          UNAVAILABLE,
          "loop detected: port " + resolved.port() + " of " + authority + " is the mesh's own");
    }
    return target;
  }

  private static InboundTarget byAddress(
      MeshSnapshot mesh, Workload own, InetAddress local, Authority.Ip authority) {
    InetAddress asked = IpAddresses.canonical(authority.address());
    boolean ours =
        asked.equals(local)
            || own.applicationTunnel() != null
            || Waypoints.isWaypointOf(mesh, own, mesh.address(own.network(), asked, null));
    if (!ours) {
      return new Rejected(
          BAD_REQUEST, "ip mismatch: " + asked.getHostAddress() + " != " + local.getHostAddress());
    }
    return tunnelled(
        own,
        new Resolved(local, authority.port(), serviceOn(mesh, own, authority.port()), null),
        new InetSocketAddress(asked, authority.port()));
  }

  private static InboundTarget byName(
      MeshSnapshot mesh, Workload own, InetAddress local, Authority.Name authority) {
    Service service = mesh.serviceByHostname(authority.host(), own.namespace());
    if (service == null) {
      return new Rejected(UNAVAILABLE, "no service " + authority.host() + " is known here");
    }
    Endpoint endpoint = mesh.endpoints(service.key()).of(own.uid());
    int port = endpoint == null ? PortMap.ABSENT : endpoint.ports().target(authority.port());
    if (port <= 0) {
      port = service.ports().target(authority.port());
    }
    if (port <= 0) {
      return new Rejected(
          UNAVAILABLE,
          "service " + authority.host() + " has no port " + authority.port() + " on this workload");
    }
    return tunnelled(
        own, new Resolved(local, port, service, null), vip(own, service, authority.port()));
  }

  /**
   * The target as the workload's application tunnel changes it.
   *
   * @param asked the address that was asked for, or null where a name has none
   */
  private static InboundTarget tunnelled(
      Workload own, Resolved target, @Nullable InetSocketAddress asked) {
    ApplicationTunnel tunnel = own.applicationTunnel();
    if (tunnel == null) {
      return target;
    }
    boolean proxied = tunnel.protocol() == ApplicationTunnel.Protocol.PROXY;
    if (proxied && asked == null) {
      return new Rejected(
          UNAVAILABLE, "the service has no VIP that a PROXY header could name as destination");
    }
    return new Resolved(
        target.address(),
        tunnel.hasPort() ? tunnel.port() : target.port(),
        target.service(),
        proxied ? asked : null);
  }

  /** Of the local network rather than another, and IPv4 rather than IPv6. */
  private static @Nullable InetSocketAddress vip(Workload own, Service service, int port) {
    return service.vips().stream()
        .min(
            Comparator.comparing((NetworkAddress vip) -> !vip.network().equals(own.network()))
                .thenComparing(vip -> !(vip.address() instanceof Inet4Address)))
        .map(vip -> new InetSocketAddress(vip.address(), port))
        .orElse(null);
  }

  /** The first of the workload's services with a port that leads to the target port. */
  static @Nullable Service serviceOn(MeshSnapshot mesh, Workload own, int targetPort) {
    for (Map.Entry<NamespacedHostname, PortMap> served : own.services().entrySet()) {
      Service service = mesh.service(served.getKey());
      if (service != null
          && (served.getValue().asMap().containsValue(targetPort)
              || service.ports().asMap().containsValue(targetPort))) {
        return service;
      }
    }
    return null;
  }
}
