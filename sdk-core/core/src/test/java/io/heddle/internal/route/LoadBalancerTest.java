// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import static io.heddle.internal.route.Mesh.asked;
import static io.heddle.internal.route.Mesh.client;
import static io.heddle.internal.route.Mesh.pod;
import static io.heddle.internal.route.Mesh.ports;
import static io.heddle.internal.route.Mesh.reference;
import static io.heddle.internal.route.Mesh.refusal;
import static io.heddle.internal.route.Mesh.serves;
import static io.heddle.internal.route.Mesh.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.Authority;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.ApplicationTunnel;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.LoadBalancing.HealthPolicy;
import io.heddle.internal.state.LoadBalancing.Mode;
import io.heddle.internal.state.LoadBalancing.RoutingScope;
import io.heddle.internal.state.Locality;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.WeightedWaypoint;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import java.net.StandardProtocolFamily;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Choice of endpoints, ports and waypoints (HBONE reference 10, LB). */
class LoadBalancerTest {

  private static final List<RoutingScope> BY_PLACE =
      List.of(RoutingScope.NETWORK, RoutingScope.REGION, RoutingScope.ZONE);
  private static final Locality HERE = new Locality("eu", "eu-a", "");

  /** Endpoints at HERE on net-a, in another zone, nowhere, and at HERE on net-b. */
  private static Mesh mesh(Mode mode, Workload source) {
    return Mesh.with(
        RouteSettings.of(source.network()),
        source,
        Service.builder("example", "shop", "example.com")
            .vips(
                Stream.of("net-a/10.96.0.1", "net-b/10.96.0.1", "elsewhere/10.96.0.1")
                    .map(NetworkAddress::parse)
                    .toList())
            .ports(ports(80, 8080))
            .subjectAltNames(List.of("spiffe://mesh.test/ns/shop/sa/any"))
            .loadBalancing(new LoadBalancing(mode, BY_PLACE, HealthPolicy.ONLY_HEALTHY))
            .build(),
        endpoint("exact", "10.0.0.11", "net-a", HERE),
        endpoint("zone", "10.0.0.12", "net-a", new Locality("eu", "eu-b", "")),
        endpoint("nowhere", "10.0.0.13", "net-a", new Locality("us", "us-a", "")),
        endpoint("network", "10.0.0.14", "net-b", HERE),
        pod("gateway", "192.0.2.1").network("net-a").build());
  }

  private static Workload endpoint(String name, String address, String network, Locality locality) {
    return pod(name, address)
        .network(network)
        .locality(locality)
        .networkGateway(reference("net-a/192.0.2.1", 15008))
        .services(serves("example.com"))
        .build();
  }

  private static Workload clientAt(String network, Locality locality) {
    return client().network(network).locality(locality).build();
  }

  private static Set<String> chosen(Mesh mesh) {
    return mesh.dialOften("10.96.0.1:80", LoadBalancerTest::workloadOf);
  }

  private static String workloadOf(Decision decision) {
    if (decision instanceof Decision.Hbone tunnel) {
      return tunnel.workload().name();
    }
    return decision instanceof Decision.DoubleHbone across
        ? across.workload().name()
        : decision.toString();
  }

  @Test
  @DisplayName("LB-01 STRICT chooses only the endpoint that matches everything")
  void strict() {
    assertThat(chosen(mesh(Mode.STRICT, clientAt("net-a", HERE)))).containsExactly("exact");
  }

  @Test
  @DisplayName("LB-01 STRICT refuses when no endpoint matches everything")
  void strictMatchesNone() {
    Decision decision =
        mesh(Mode.STRICT, clientAt("elsewhere", new Locality("x", "x", ""))).dial("10.96.0.1:80");

    assertThat(refusal(decision)).isEqualTo(Refusal.NO_LOCALITY_MATCH);
  }

  @Test
  @DisplayName("LB-02 FAILOVER chooses among all when none matches")
  void failoverMatchesNone() {
    Mesh mesh = mesh(Mode.FAILOVER, clientAt("elsewhere", new Locality("x", "x", "")));

    assertThat(chosen(mesh)).containsExactlyInAnyOrder("exact", "zone", "nowhere", "network");
  }

  static Stream<Arguments> places() {
    return Stream.of(
        Arguments.of("everything", HERE, Set.of("exact")),
        Arguments.of("network and region", new Locality("eu", "eu-c", ""), Set.of("exact", "zone")),
        Arguments.of(
            "the network", new Locality("x", "x", ""), Set.of("exact", "zone", "nowhere")));
  }

  @ParameterizedTest(name = "LB-03 FAILOVER where {0} matches chooses {2}")
  @MethodSource("places")
  void failover(String what, Locality locality, Set<String> expected) {
    assertThat(chosen(mesh(Mode.FAILOVER, clientAt("net-a", locality))))
        .as(what)
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("LB-03 FAILOVER puts the own network before a nearer place behind a gateway")
  void ownNetworkFirst() {
    Mesh mesh =
        Mesh.seenBy(
            client().locality(HERE).build(),
            service("10.96.0.1")
                .subjectAltNames(List.of("spiffe://mesh.test/ns/shop/sa/any"))
                .loadBalancing(
                    new LoadBalancing(Mode.FAILOVER, BY_PLACE, HealthPolicy.ONLY_HEALTHY))
                .build(),
            endpoint("far", "10.0.0.13", "", new Locality("us", "us-a", "")),
            endpoint("near", "10.0.0.14", "net-b", HERE),
            pod("gateway", "192.0.2.1").network("net-a").build());

    assertThat(chosen(mesh)).containsExactly("far");
  }

  @Test
  @DisplayName("LB-04 FAILOVER skips the network where none matches it and compares the rest")
  void failoverSkipsNetwork() {
    assertThat(chosen(mesh(Mode.FAILOVER, clientAt("elsewhere", HERE))))
        .containsExactlyInAnyOrder("exact", "network");
  }

  @Test
  @DisplayName("LB-05 an endpoint without an address on the own network is never chosen")
  void withoutAddress() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").build(),
            pod("empty").services(serves("example.com")).build(),
            pod("web", "10.0.0.2").services(serves("example.com")).build());

    assertThat(chosen(mesh)).containsExactly("web");
  }

  static Stream<Arguments> weights() {
    return Stream.of(
        Arguments.of("no weights", List.of(), 0.0, 0.0),
        Arguments.of("100 and 0", List.of(100L, 0L), 1.0, 0.0),
        Arguments.of("0 and 100", List.of(0L, 100L), 0.0, 1.0),
        Arguments.of("0 and 0", List.of(0L, 0L), 0.0, 0.0),
        Arguments.of("75 and 25", List.of(75L, 25L), 0.75, 0.25));
  }

  @ParameterizedTest(name = "LB-06 waypoint weights {0}")
  @MethodSource("weights")
  void waypointWeights(String what, List<Long> weights, double first, double second) {
    List<GatewayAddress> waypoints =
        List.of(reference("/10.0.0.8", 15008), reference("/10.0.0.9", 15008));
    GatewayAddress plain = reference("/10.0.0.7", 15008);
    List<WeightedWaypoint> weighted =
        Stream.iterate(0, i -> i < weights.size(), i -> i + 1)
            .map(i -> new WeightedWaypoint(waypoints.get(i), weights.get(i)))
            .toList();
    Service service = service("10.96.0.1").weightedWaypoints(weighted).waypoint(plain).build();
    Random random = new Random(6);
    Map<GatewayAddress, Integer> counts = new HashMap<>();

    for (int i = 0; i < 10_000; i++) {
      counts.merge(Waypoints.sample(service, random), 1, Integer::sum);
    }

    assertShare(counts, waypoints.get(0), first, what);
    assertShare(counts, waypoints.get(1), second, what);
    assertShare(counts, plain, 1 - first - second, what);
  }

  private static void assertShare(
      Map<GatewayAddress, Integer> counts, GatewayAddress waypoint, double share, String what) {
    assertThat(counts.getOrDefault(waypoint, 0) / 10_000.0)
        .as(what)
        .isBetween(share == 0 || share == 1 ? share : share - 0.05, share + 0.05);
  }

  static Stream<Arguments> portSources() {
    ApplicationTunnel tunnel = new ApplicationTunnel(ApplicationTunnel.Protocol.PROXY, 15088);
    PortMap noPorts = PortMap.EMPTY;
    return Stream.of(
        Arguments.of("the endpoint's map goes first", ports(80, 8080), ports(80, 9090), null, 9090),
        Arguments.of("then the service's target", ports(80, 8080), noPorts, null, 8080),
        Arguments.of("even before a tunnel", ports(80, 8080), noPorts, tunnel, 8080),
        Arguments.of("then a tunnel keeps the port", noPorts, noPorts, tunnel, 80));
  }

  @ParameterizedTest(name = "LB-07 {0}")
  @MethodSource("portSources")
  void portResolution(
      String what, PortMap ofService, PortMap ofEndpoint, ApplicationTunnel tunnel, int expected) {
    Service waypointService = service("10.96.0.9").ports(ofService).build();
    Workload waypoint =
        pod("waypoint", "10.0.0.9")
            .applicationTunnel(tunnel)
            .services(Map.of(new NamespacedHostname("shop", "example.com"), ofEndpoint))
            .build();
    Service target =
        Mesh.named("target.test", "10.96.0.1").waypoint(reference("/10.96.0.9", 80)).build();

    assertThat(Mesh.of(waypointService, waypoint, target).dial("10.96.0.1:80"))
        .as(what)
        .isInstanceOfSatisfying(
            Decision.Hbone.class,
            tunnelTo -> assertThat(tunnelTo.address().getPort()).isEqualTo(expected));
  }

  @Test
  @DisplayName("LB-07 without any source of a port there is no waypoint")
  void noPort() {
    Service waypointService = service("10.96.0.9").ports(PortMap.EMPTY).build();
    Workload waypoint = pod("waypoint", "10.0.0.9").services(serves("example.com")).build();
    Service target =
        Mesh.named("target.test", "10.96.0.1").waypoint(reference("/10.96.0.9", 80)).build();

    assertThat(refusal(Mesh.of(waypointService, waypoint, target).dial("10.96.0.1:80")))
        .isEqualTo(Refusal.WAYPOINT_UNAVAILABLE);
  }

  @Test
  @DisplayName("capacity weighs endpoints, and 0 takes no traffic")
  void capacity() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").build(),
            pod("none", "10.0.0.2").capacity(0).services(serves("example.com")).build(),
            pod("one", "10.0.0.3").capacity(1).services(serves("example.com")).build(),
            pod("three", "10.0.0.4").capacity(3).services(serves("example.com")).build());
    Map<String, Integer> counts = new HashMap<>();

    for (int i = 0; i < 4_000; i++) {
      counts.merge(workloadOf(mesh.dial("10.96.0.1:80")), 1, Integer::sum);
    }

    assertThat(counts).containsOnlyKeys("one", "three");
    assertThat(counts.get("three")).isBetween(2_800, 3_200);
  }

  @Test
  @DisplayName("without any capacity the service is refused")
  void noCapacity() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").build(),
            pod("none", "10.0.0.2").capacity(0).services(serves("example.com")).build());

    assertThat(refusal(mesh.dial("10.96.0.1:80"))).isEqualTo(Refusal.NO_CAPACITY);
  }

  @Test
  @DisplayName("an endpoint that no gateway leads to is passed over for one that can be reached")
  void unreachablePassedOver() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").build(),
            pod("remote", "10.1.0.1").network("remote").services(serves("example.com")).build(),
            pod("web", "10.0.0.2").services(serves("example.com")).build());

    assertThat(mesh.dialOften("10.96.0.1:80", Mesh::asked)).containsExactly("10.0.0.2:8080");
    assertThat(asked(mesh.dial("10.96.0.1:80"))).isEqualTo("10.0.0.2:8080");
  }

  @Test
  @DisplayName("a change of the endpoints counts from the next connection on")
  void endpointsChange() {
    WorkloadIndex index = new WorkloadIndex("", UnknownPolicies.REFUSE);
    Router router = new Router(RouteSettings.of(""));
    Workload source = client().build();
    Workload first = pod("first", "10.0.0.2").services(serves("example.com")).build();
    Workload second = pod("second", "10.0.0.3").services(serves("example.com")).build();
    index.apply(
        UpdateBatch.changes().put(service("10.96.0.1").build()).put(source).put(first).build());

    String before = workloadOf(dial(router, index, source));
    index.apply(UpdateBatch.changes().remove(first.uid()).put(second).build());
    String after = workloadOf(dial(router, index, source));
    index.apply(UpdateBatch.changes().remove(second.uid()).build());
    Decision last = dial(router, index, source);

    assertThat(before).isEqualTo("first");
    assertThat(after).isEqualTo("second");
    assertThat(refusal(last)).isEqualTo(Refusal.NO_ENDPOINTS);
  }

  private static Decision dial(Router router, WorkloadIndex index, Workload source) {
    return router.route(
        new RouteRequest(
            index.current(),
            source,
            Authority.parse("10.96.0.1:80"),
            StandardProtocolFamily.INET,
            new Random(1)));
  }
}
