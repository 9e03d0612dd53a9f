// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.Authority;
import io.heddle.internal.inbound.InboundTarget.Rejected;
import io.heddle.internal.inbound.InboundTarget.Resolved;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.ApplicationTunnel;
import io.heddle.internal.state.GatewayAddress;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetResolverTest {

  private static final String API = "api.pay.svc.cluster.local";
  private static final String WAYPOINT = "wp.pay.svc.cluster.local";
  private static final NamespacedHostname API_KEY = new NamespacedHostname("pay", API);
  private static final NamespacedHostname WAYPOINT_KEY = new NamespacedHostname("pay", WAYPOINT);

  /** A pod behind a service with port 80 to 8080. */
  private static WorkloadBuilder pod(String uid, String address) {
    return Workload.builder(uid)
        .name(uid)
        .namespace("pay")
        .protocol(Protocol.HBONE)
        .addresses(List.of(ip(address)));
  }

  private static Service.Builder service(String name, String hostname, String vip) {
    return Service.builder(name, "pay", hostname)
        .vips(List.of(new NetworkAddress("", ip(vip))))
        .ports(PortMap.of(Map.of(80, 8080)));
  }

  private static MeshSnapshot mesh(io.heddle.internal.state.MeshAddress... addresses) {
    UpdateBatch.Builder batch = UpdateBatch.changes();
    for (io.heddle.internal.state.MeshAddress address : addresses) {
      batch.put(address);
    }
    return new WorkloadIndex("", UnknownPolicies.REFUSE).apply(batch.build());
  }

  private static InboundTarget resolve(
      MeshSnapshot mesh, String own, String arrivedOn, String authority) {
    Workload workload = Objects.requireNonNull(mesh.workload(own));
    return TargetResolver.resolve(mesh, workload, ip(arrivedOn), Authority.parse(authority));
  }

  private static InetAddress ip(String literal) {
    return Objects.requireNonNull(IpAddresses.parse(literal));
  }

  private static MeshSnapshot served() {
    return mesh(
        pod("api", "127.1.0.3").services(Map.of(API_KEY, PortMap.of(Map.of(80, 8080)))).build(),
        service("api", API, "127.1.0.100").build());
  }

  @ParameterizedTest(name = "INB-01 authority {0} is port 8080 of this workload")
  @ValueSource(strings = {"127.1.0.3:8080", "api.pay.svc.cluster.local:80"})
  void ownAddressAndServiceName(String authority) {
    assertThat(resolve(served(), "api", "127.1.0.3", authority))
        .isInstanceOfSatisfying(
            Resolved.class,
            target -> {
              assertThat(target.address()).isEqualTo(ip("127.1.0.3"));
              assertThat(target.port()).isEqualTo(8080);
            });
  }

  private static MeshSnapshot sandwiched(ApplicationTunnel.Protocol protocol, int port) {
    return mesh(
        pod("wp", "127.1.0.9")
            .applicationTunnel(new ApplicationTunnel(protocol, port))
            .services(Map.of(WAYPOINT_KEY, PortMap.EMPTY))
            .build(),
        pod("api", "127.1.0.3").services(Map.of(API_KEY, PortMap.EMPTY)).build(),
        service("api", API, "127.1.0.100")
            .waypoint(new GatewayAddress.ByHostname(WAYPOINT_KEY, 15008))
            .build(),
        service("wp", WAYPOINT, "127.1.0.109").build());
  }

  @ParameterizedTest(name = "INB-02 a sandwiched waypoint without PROXY is dialled for {0}")
  @ValueSource(strings = {"127.1.0.3:8080", "127.1.0.100:80"})
  void sandwichedWithoutProxy(String authority) {
    MeshSnapshot mesh = sandwiched(ApplicationTunnel.Protocol.NONE, 0);
    int port = Integer.parseInt(authority.substring(authority.indexOf(':') + 1));

    assertThat(resolve(mesh, "wp", "127.1.0.9", authority))
        .isInstanceOfSatisfying(
            Resolved.class,
            target -> {
              assertThat(target.address()).isEqualTo(ip("127.1.0.9"));
              assertThat(target.port()).isEqualTo(port);
              assertThat(target.proxied()).isNull();
            });
  }

  @ParameterizedTest(
      name = "INB-03 a sandwiched waypoint with PROXY is dialled on its port for {0}")
  @ValueSource(strings = {"127.1.0.3:8080", "127.1.0.100:80"})
  void sandwichedWithProxy(String authority) {
    MeshSnapshot mesh = sandwiched(ApplicationTunnel.Protocol.PROXY, 15088);

    assertThat(resolve(mesh, "wp", "127.1.0.9", authority))
        .isInstanceOfSatisfying(
            Resolved.class,
            target -> {
              assertThat(target.port()).isEqualTo(15088);
              assertThat(target.proxied()).isEqualTo(at(authority));
            });
  }

  private static InetSocketAddress at(String authority) {
    int colon = authority.lastIndexOf(':');
    return new InetSocketAddress(
        ip(authority.substring(0, colon)), Integer.parseInt(authority.substring(colon + 1)));
  }

  @Test
  @DisplayName("a PROXY header names the VIP of this network before others, and IPv4 before IPv6")
  void proxiedName() {
    assertThat(proxied("west/10.0.0.1", "/fd00::1", "/10.0.0.2")).isEqualTo(at("10.0.0.2:80"));
    assertThat(proxied("west/10.0.0.1", "/fd00::1")).isEqualTo(at("fd00::1:80"));
    assertThat(proxied("west/fd00::2", "west/10.0.0.1")).isEqualTo(at("10.0.0.1:80"));
  }

  private static InetSocketAddress proxied(String... vips) {
    return ((Resolved) resolve(sandwichedFor(vips), "wp", "127.1.0.9", API + ":80")).proxied();
  }

  private static MeshSnapshot sandwichedFor(String... vips) {
    return mesh(
        pod("wp", "127.1.0.9")
            .applicationTunnel(new ApplicationTunnel(ApplicationTunnel.Protocol.PROXY, 15088))
            .build(),
        service("api", API, "127.1.0.100")
            .vips(Stream.of(vips).map(NetworkAddress::parse).toList())
            .build());
  }

  @Test
  @DisplayName("a name without a VIP has no place in a PROXY header, and is 503")
  void proxiedNameWithoutVip() {
    assertThat(resolve(sandwichedFor(), "wp", "127.1.0.9", API + ":80"))
        .isInstanceOfSatisfying(Rejected.class, e -> assertThat(e.status()).isEqualTo(503));
  }

  @Test
  @DisplayName("INB-04 the authority of an unrelated workload is rejected")
  void unrelated() {
    MeshSnapshot mesh = mesh(pod("api", "127.1.0.3").build(), pod("other", "127.1.0.4").build());

    assertThat(resolve(mesh, "api", "127.1.0.3", "127.1.0.4:8080"))
        .isEqualTo(new Rejected(400, "ip mismatch: 127.1.0.4 != 127.1.0.3"));
  }

  @Test
  @DisplayName("INB-04 a waypoint that the target does not refer to is rejected")
  void waypointNotReferenced() {
    MeshSnapshot mesh =
        mesh(
            pod("wp", "127.1.0.9").services(Map.of(WAYPOINT_KEY, PortMap.EMPTY)).build(),
            service("wp", WAYPOINT, "127.1.0.109").build(),
            service("api", API, "127.1.0.100").build());

    assertThat(resolve(mesh, "wp", "127.1.0.9", "127.1.0.100:80")).isInstanceOf(Rejected.class);
  }

  @Test
  @DisplayName("INB-05 a waypoint of the service is rejected for the pod's address")
  void serviceWaypointForPod() {
    MeshSnapshot mesh =
        mesh(
            pod("wp", "127.1.0.9").services(Map.of(WAYPOINT_KEY, PortMap.EMPTY)).build(),
            pod("api", "127.1.0.3").services(Map.of(API_KEY, PortMap.EMPTY)).build(),
            service("wp", WAYPOINT, "127.1.0.109").build(),
            service("api", API, "127.1.0.100")
                .waypoint(new GatewayAddress.ByHostname(WAYPOINT_KEY, 15008))
                .build());

    assertThat(resolve(mesh, "wp", "127.1.0.9", "127.1.0.3:8080")).isInstanceOf(Rejected.class);
    assertThat(resolve(mesh, "wp", "127.1.0.9", "127.1.0.100:80")).isInstanceOf(Resolved.class);
  }

  @Test
  @DisplayName("INB-05 a waypoint of the pod is rejected for the service's address")
  void podWaypointForService() {
    MeshSnapshot mesh =
        mesh(
            pod("wp", "127.1.0.9").services(Map.of(WAYPOINT_KEY, PortMap.EMPTY)).build(),
            pod("api", "127.1.0.3")
                .services(Map.of(API_KEY, PortMap.EMPTY))
                .waypoint(
                    new GatewayAddress.ByAddress(new NetworkAddress("", ip("127.1.0.109")), 15008))
                .build(),
            service("wp", WAYPOINT, "127.1.0.109").build(),
            service("api", API, "127.1.0.100").build());

    assertThat(resolve(mesh, "wp", "127.1.0.9", "127.1.0.100:80")).isInstanceOf(Rejected.class);
    assertThat(resolve(mesh, "wp", "127.1.0.9", "127.1.0.3:8080")).isInstanceOf(Resolved.class);
  }

  @ParameterizedTest(name = "B049 a CONNECT to port {0} of this workload is a loop")
  @ValueSource(ints = {15001, 15006, 15008})
  void ownPorts(int port) {
    assertThat(resolve(served(), "api", "127.1.0.3", "127.1.0.3:" + port))
        .isInstanceOfSatisfying(
            Rejected.class, rejected -> assertThat(rejected.reason()).contains("loop detected"));
  }

  @Test
  @DisplayName("a service that is not known here is 503, and so is a port that it lacks")
  void unknownService() {
    assertThat(resolve(served(), "api", "127.1.0.3", "nobody.pay.svc.cluster.local:80"))
        .isInstanceOfSatisfying(Rejected.class, e -> assertThat(e.status()).isEqualTo(503));
    assertThat(resolve(served(), "api", "127.1.0.3", API + ":81"))
        .isInstanceOfSatisfying(Rejected.class, e -> assertThat(e.status()).isEqualTo(503));
  }

  @Test
  @DisplayName("B045 a mapped IPv6 authority is the IPv4 address")
  void mappedAddress() {
    assertThat(resolve(served(), "api", "127.1.0.3", "[::ffff:127.1.0.3]:8080"))
        .isInstanceOf(Resolved.class);
  }
}
