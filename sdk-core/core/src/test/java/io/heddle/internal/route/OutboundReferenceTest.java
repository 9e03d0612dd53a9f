// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import static io.heddle.internal.route.Mesh.asked;
import static io.heddle.internal.route.Mesh.at;
import static io.heddle.internal.route.Mesh.client;
import static io.heddle.internal.route.Mesh.dialled;
import static io.heddle.internal.route.Mesh.ids;
import static io.heddle.internal.route.Mesh.named;
import static io.heddle.internal.route.Mesh.pod;
import static io.heddle.internal.route.Mesh.ports;
import static io.heddle.internal.route.Mesh.reference;
import static io.heddle.internal.route.Mesh.refusal;
import static io.heddle.internal.route.Mesh.serves;
import static io.heddle.internal.route.Mesh.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.Authority;
import io.heddle.internal.state.HealthStatus;
import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.LoadBalancing.HealthPolicy;
import io.heddle.internal.state.LoadBalancing.Mode;
import io.heddle.internal.state.LoadBalancing.RoutingScope;
import io.heddle.internal.state.NetworkMode;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadBuilder;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the peer's own tests check of outbound decisions (HBONE reference 10, OUT). */
class OutboundReferenceTest {

  private static final String REMOTE_ID = "spiffe://mesh.test/ns/shop/sa/remote";

  private static final Workload GATEWAY_POD = pod("gateway", "10.22.1.1").network("remote").build();

  /** An endpoint on the network "remote" without an address of its own. */
  private static WorkloadBuilder remotePod() {
    return pod("remote").network("remote").services(serves("example.com"));
  }

  private static Service exampleWithIds() {
    return service("10.96.0.1").subjectAltNames(List.of(REMOTE_ID)).build();
  }

  @Test
  @DisplayName("OUT-01 an unknown address is passed through as plain TCP")
  void unknownAddress() {
    assertThat(Mesh.of().dial("1.2.3.4:80")).isEqualTo(new Decision.Passthrough(at("1.2.3.4", 80)));
  }

  @Test
  @DisplayName("OUT-02 an endpoint on another network without a gateway is refused")
  void remoteWithoutGateway() {
    Workload remote =
        pod("remote", "10.1.0.1").network("remote").services(serves("example.com")).build();

    assertThat(refusal(Mesh.of(exampleWithIds(), remote).dial("10.96.0.1:80")))
        .isEqualTo(Refusal.OTHER_NETWORK);
  }

  @Test
  @DisplayName("OUT-03 a remote endpoint is reached by its gateway's address and port")
  void gatewayByAddress() {
    Workload remote = remotePod().networkGateway(reference("remote/10.22.1.1", 15009)).build();
    Service service = exampleWithIds();

    assertThat(Mesh.of(service, remote, GATEWAY_POD).dial("10.96.0.1:80"))
        .isEqualTo(
            new Decision.DoubleHbone(
                at("10.22.1.1", 15009),
                Authority.parse("example.com:80"),
                ids(Mesh.GATEWAY_ID),
                ids(REMOTE_ID),
                GATEWAY_POD,
                remote,
                service,
                false));
  }

  @Test
  @DisplayName("OUT-04 a gateway by host name is dialled at the port its service maps to")
  void gatewayByHostname() {
    Service gatewayService = named("gateway.test").ports(ports(15009, 15008)).build();
    Workload gateway =
        pod("gateway", "10.22.1.1").network("remote").services(serves("gateway.test")).build();
    Workload remote = remotePod().networkGateway(reference("shop/gateway.test", 15009)).build();

    Decision decision =
        Mesh.of(exampleWithIds(), remote, gatewayService, gateway).dial("10.96.0.1:80");

    assertThat(decision).isInstanceOf(Decision.DoubleHbone.class);
    assertThat(dialled(decision)).isEqualTo("10.22.1.1:15008");
    assertThat(asked(decision)).isEqualTo("example.com:80");
  }

  @Test
  @DisplayName("OUT-05 a remote waypoint is reached by the gateway, asking for the target service")
  void remoteWaypoint() {
    Service target = service("10.96.0.1").waypoint(reference("shop/waypoint.test", 15008)).build();
    Service waypointService =
        named("waypoint.test")
            .ports(ports(15008, 15008))
            .subjectAltNames(List.of(Mesh.WAYPOINT_ID))
            .build();
    Workload waypoint =
        pod("waypoint")
            .network("remote")
            .services(serves("waypoint.test"))
            .networkGateway(reference("remote/10.22.1.1", 15009))
            .build();

    Decision decision =
        Mesh.of(target, waypointService, waypoint, GATEWAY_POD).dial("10.96.0.1:80");

    assertThat(decision)
        .isEqualTo(
            new Decision.DoubleHbone(
                at("10.22.1.1", 15009),
                Authority.parse("example.com:80"),
                ids(Mesh.GATEWAY_ID),
                ids(Mesh.WAYPOINT_ID),
                GATEWAY_POD,
                waypoint,
                target,
                true));
  }

  private static Service failoverByNetwork() {
    return service("10.96.0.1")
        .subjectAltNames(List.of(REMOTE_ID))
        .loadBalancing(
            new LoadBalancing(
                Mode.FAILOVER, List.of(RoutingScope.NETWORK), HealthPolicy.ONLY_HEALTHY))
        .build();
  }

  private static Mesh localAndRemote(HealthStatus localHealth) {
    return Mesh.of(
        failoverByNetwork(),
        pod("local", "10.0.0.2").services(serves("example.com")).status(localHealth).build(),
        remotePod().networkGateway(reference("remote/10.22.1.1", 15009)).build(),
        GATEWAY_POD);
  }

  @Test
  @DisplayName("OUT-06 with failover by network a healthy local endpoint takes everything")
  void localPreferred() {
    Mesh mesh = localAndRemote(HealthStatus.HEALTHY);

    assertThat(mesh.dialOften("10.96.0.1:80", Mesh::dialled)).containsExactly("10.0.0.2:15008");
    assertThat(mesh.dialOften("10.96.0.1:80", Mesh::asked)).containsExactly("10.0.0.2:8080");
  }

  @Test
  @DisplayName(
      "OUT-07 with failover by network the gateway is used when the local one is unhealthy")
  void failsOver() {
    Mesh mesh = localAndRemote(HealthStatus.UNHEALTHY);

    assertThat(mesh.dialOften("10.96.0.1:80", Mesh::dialled)).containsExactly("10.22.1.1:15009");
  }

  @ParameterizedTest(name = "OUT-08 a workload outside the mesh on node {0} gets plain TCP")
  @ValueSource(strings = {"n1", "n2"})
  void plainWorkload(String node) {
    Workload plain = pod("plain", "10.0.0.2").protocol(Protocol.TCP).node(node).build();

    assertThat(Mesh.seenBy(client().node("n1").build(), plain).dial("10.0.0.2:80"))
        .isEqualTo(new Decision.Plain(at("10.0.0.2", 80), plain, null));
  }

  @ParameterizedTest(name = "OUT-09 a workload in the mesh on node {0} gets a tunnel")
  @ValueSource(strings = {"n1", "n2"})
  void meshedWorkload(String node) {
    Workload meshed = pod("web", "10.0.0.2").node(node).build();

    assertThat(Mesh.seenBy(client().node("n1").build(), meshed).dial("10.0.0.2:80"))
        .isEqualTo(
            new Decision.Hbone(
                at("10.0.0.2", 15008),
                Authority.parse("10.0.0.2:80"),
                ids("spiffe://mesh.test/ns/shop/sa/web"),
                meshed,
                null,
                false,
                List.of()));
  }

  @Test
  @DisplayName("OUT-10 the source's own waypoint does not matter")
  void ownWaypoint() {
    Workload source = client().waypoint(reference("/10.0.0.9", 15008)).build();

    assertThat(dialled(Mesh.seenBy(source, pod("web", "10.0.0.2").build()).dial("10.0.0.2:80")))
        .isEqualTo("10.0.0.2:15008");
  }

  @Test
  @DisplayName("OUT-11 a workload's waypoint takes what is addressed to the workload")
  void workloadWaypoint() {
    Workload target = pod("web", "10.0.0.2").waypoint(reference("/10.0.0.9", 15008)).build();
    Workload waypoint = pod("waypoint", "10.0.0.9").build();

    assertThat(Mesh.of(target, waypoint).dial("10.0.0.2:80"))
        .isEqualTo(
            new Decision.Hbone(
                at("10.0.0.9", 15008),
                Authority.parse("10.0.0.2:80"),
                ids(Mesh.WAYPOINT_ID),
                waypoint,
                null,
                true,
                List.of()));
  }

  @Test
  @DisplayName("OUT-12 a waypoint referenced by its IPv4 address is dialled so for an IPv6 target")
  void waypointOfOtherFamily() {
    Workload target = pod("web", "2001:db8::2").waypoint(reference("/10.0.0.9", 15008)).build();
    Workload waypoint = pod("waypoint", "2001:db8::9", "10.0.0.9").build();

    Decision decision = Mesh.of(target, waypoint).dial("[2001:db8::2]:80");

    assertThat(dialled(decision)).isEqualTo("10.0.0.9:15008");
    assertThat(asked(decision)).isEqualTo("[2001:db8::2]:80");
  }

  @Test
  @DisplayName("OUT-13 a service's waypoint is asked for the service's address")
  void serviceWaypoint() {
    Service target = service("10.96.0.1").waypoint(reference("/10.0.0.9", 15008)).build();
    Workload waypoint = pod("waypoint", "10.0.0.9").build();
    Workload endpoint = pod("web", "10.0.0.2").services(serves("example.com")).build();

    assertThat(Mesh.of(target, waypoint, endpoint).dial("10.96.0.1:80"))
        .isEqualTo(
            new Decision.Hbone(
                at("10.0.0.9", 15008),
                Authority.parse("10.96.0.1:80"),
                ids(Mesh.WAYPOINT_ID),
                waypoint,
                target,
                true,
                List.of()));
  }

  @Test
  @DisplayName("OUT-14 a service without endpoints is refused and never passed through")
  void noEndpoints() {
    assertThat(refusal(Mesh.of(service("10.96.0.1").build()).dial("10.96.0.1:80")))
        .isEqualTo(Refusal.NO_ENDPOINTS);
  }

  @Test
  @DisplayName("OUT-15 of a named target port only the endpoints that map it are used")
  void namedTargetPort() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").ports(ports(80, 0)).build(),
            pod("maps", "10.0.0.2").services(serves("example.com", 80, 9090)).build(),
            pod("lacks", "10.0.0.3").services(serves("example.com")).build());

    assertThat(mesh.dialOften("10.96.0.1:80", Mesh::asked)).containsExactly("10.0.0.2:9090");
  }

  private static Workload hostNetworkPod() {
    return pod("node-exporter", "10.20.0.1")
        .protocol(Protocol.TCP)
        .networkMode(NetworkMode.HOST_NETWORK)
        .services(serves("example.com"))
        .build();
  }

  @Test
  @DisplayName("OUT-16 a host-network endpoint is attributed when it is reached by its service")
  void hostNetworkByService() {
    Service service = service("10.96.0.1").build();
    Workload pod = hostNetworkPod();

    assertThat(Mesh.of(service, pod).dial("10.96.0.1:80"))
        .isEqualTo(new Decision.Plain(at("10.20.0.1", 8080), pod, service));
  }

  @Test
  @DisplayName("OUT-16 a node's address itself stands for nobody")
  void hostNetworkByAddress() {
    assertThat(Mesh.of(service("10.96.0.1").build(), hostNetworkPod()).dial("10.20.0.1:8080"))
        .isEqualTo(new Decision.Passthrough(at("10.20.0.1", 8080)));
  }

  @ParameterizedTest(name = "OUT-17 a workload of both families dialled at {0} is reached there")
  @CsvSource({"10.0.0.2, 10.0.0.2:15008", "[2001:db8::2], [2001:db8::2]:15008"})
  void dialledAddressKept(String address, String expected) {
    Workload both = pod("web", "10.0.0.2", "2001:db8::2").build();

    assertThat(dialled(Mesh.of(both).dial(address + ":80"))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "OUT-18 families {0}: VIP {1} leads to {2}")
  @CsvSource({
    "IPV4_ONLY, 10.96.0.1, 10.0.0.2:8080",
    "IPV4_ONLY, [2001:db8:96::1], 10.0.0.2:8080",
    "IPV6_ONLY, 10.96.0.1, [2001:db8::2]:8080",
    "IPV6_ONLY, [2001:db8:96::1], [2001:db8::2]:8080",
    "DUAL, 10.96.0.1, 10.0.0.2:8080",
    "DUAL, [2001:db8:96::1], [2001:db8::2]:8080",
  })
  void serviceFamilies(IpFamilies families, String vip, String expected) {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1", "2001:db8:96::1").ipFamilies(families).build(),
            pod("web", "10.0.0.2", "2001:db8::2").services(serves("example.com")).build());

    assertThat(asked(mesh.dial(vip + ":80"))).isEqualTo(expected);
  }

  private static Service.Builder passthroughService() {
    return service("10.96.0.1")
        .loadBalancing(new LoadBalancing(Mode.PASSTHROUGH, List.of(), HealthPolicy.ONLY_HEALTHY));
  }

  @Test
  @DisplayName("OUT-19 a pass-through service is dialled at its address")
  void passthroughService_withoutWaypoint() {
    assertThat(Mesh.of(passthroughService().build()).dial("10.96.0.1:80"))
        .isEqualTo(new Decision.Passthrough(at("10.96.0.1", 80)));
  }

  @Test
  @DisplayName("OUT-19 a pass-through service with a waypoint goes through the waypoint")
  void passthroughService_withWaypoint() {
    Service service = passthroughService().waypoint(reference("/10.0.0.9", 15008)).build();

    Decision decision = Mesh.of(service, pod("waypoint", "10.0.0.9").build()).dial("10.96.0.1:80");

    assertThat(dialled(decision)).isEqualTo("10.0.0.9:15008");
    assertThat(asked(decision)).isEqualTo("10.96.0.1:80");
  }
}
