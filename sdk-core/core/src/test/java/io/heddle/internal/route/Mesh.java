// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.hbone.Authority;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.MeshAddress;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadBuilder;
import io.heddle.internal.state.WorkloadIndex;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** A small mesh and a client in it, to ask a router about. Everything is in namespace shop. */
final class Mesh {
  static final String GATEWAY_ID = "spiffe://mesh.test/ns/shop/sa/gateway";
  static final String WAYPOINT_ID = "spiffe://mesh.test/ns/shop/sa/waypoint";

  private final Router router;
  private final MeshSnapshot state;
  private final Workload source;
  private final Random random = new Random(7);

  private Mesh(RouteSettings settings, Workload source, MeshAddress... others) {
    UpdateBatch.Builder batch = UpdateBatch.changes().put(source);
    for (MeshAddress other : others) {
      batch.put(other);
    }
    this.router = new Router(settings);
    this.state = new WorkloadIndex("", UnknownPolicies.REFUSE).apply(batch.build());
    this.source = source;
  }

  /** A mesh seen by an ordinary client in the default network. */
  static Mesh of(MeshAddress... others) {
    return seenBy(client().build(), others);
  }

  static Mesh seenBy(Workload source, MeshAddress... others) {
    return new Mesh(RouteSettings.of(source.network()), source, others);
  }

  static Mesh with(RouteSettings settings, Workload source, MeshAddress... others) {
    return new Mesh(settings, source, others);
  }

  Decision dial(String authority) {
    return dial(authority, StandardProtocolFamily.INET);
  }

  Decision dial(String authority, StandardProtocolFamily family) {
    return router.route(
        new RouteRequest(state, source, Authority.parse(authority), family, random));
  }

  /** What comes of many dials of the same destination. */
  Set<String> dialOften(String authority, Function<Decision, String> aspect) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      seen.add(aspect.apply(dial(authority)));
    }
    return seen;
  }

  static WorkloadBuilder client() {
    return pod("client", "10.0.0.1");
  }

  /** A pod in the mesh whose service account has its name. */
  static WorkloadBuilder pod(String name, String... addresses) {
    return Workload.builder("c1//Pod/shop/" + name)
        .name(name)
        .namespace("shop")
        .trustDomain("mesh.test")
        .serviceAccount(name)
        .protocol(Protocol.HBONE)
        .addresses(Arrays.stream(addresses).map(Mesh::ip).toList());
  }

  /** A service example.com in the default network with ports 80 to 8080. */
  static Service.Builder service(String... vips) {
    return named("example.com", vips);
  }

  static Service.Builder named(String hostname, String... vips) {
    return Service.builder(hostname, "shop", hostname)
        .vips(Arrays.stream(vips).map(vip -> NetworkAddress.parse("/" + vip)).toList())
        .ports(ports(80, 8080));
  }

  static PortMap ports(int servicePort, int targetPort) {
    return PortMap.of(Map.of(servicePort, targetPort));
  }

  /** Makes a workload an endpoint that leaves ports to the service. */
  static Map<NamespacedHostname, PortMap> serves(String hostname) {
    return Map.of(new NamespacedHostname("shop", hostname), PortMap.EMPTY);
  }

  static Map<NamespacedHostname, PortMap> serves(String hostname, int port, int target) {
    return Map.of(new NamespacedHostname("shop", hostname), ports(port, target));
  }

  static GatewayAddress reference(String destination, int port) {
    return GatewayAddress.parse(destination, port);
  }

  static InetAddress ip(String literal) {
    return Objects.requireNonNull(IpAddresses.parse(literal), literal);
  }

  static InetSocketAddress at(String literal, int port) {
    return new InetSocketAddress(ip(literal), port);
  }

  static List<SpiffeId> ids(String... ids) {
    return Stream.of(ids).map(SpiffeId::parse).toList();
  }

  /** The address that a decision dials, as text. */
  static String dialled(Decision decision) {
    if (decision instanceof Decision.Hbone tunnel) {
      return text(tunnel.address());
    }
    if (decision instanceof Decision.Plain plain) {
      return text(plain.address());
    }
    if (decision instanceof Decision.Passthrough passthrough) {
      return text(passthrough.address());
    }
    return decision instanceof Decision.DoubleHbone across
        ? text(across.gatewayAddress())
        : decision.toString();
  }

  /** What a tunnel asks for, as text. */
  static String asked(Decision decision) {
    if (decision instanceof Decision.Hbone tunnel) {
      return tunnel.authority().toString();
    }
    return decision instanceof Decision.DoubleHbone across
        ? across.authority().toString()
        : decision.toString();
  }

  static Refusal refusal(Decision decision) {
    if (decision instanceof Decision.Refused refused) {
      return refused.reason();
    }
    throw new AssertionError("not refused: " + decision);
  }

  private static String text(InetSocketAddress address) {
    return new Authority.Ip(address.getAddress(), address.getPort()).toString();
  }
}
