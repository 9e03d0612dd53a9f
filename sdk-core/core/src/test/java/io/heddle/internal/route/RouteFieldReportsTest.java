// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import static io.heddle.internal.route.Mesh.asked;
import static io.heddle.internal.route.Mesh.at;
import static io.heddle.internal.route.Mesh.client;
import static io.heddle.internal.route.Mesh.dialled;
import static io.heddle.internal.route.Mesh.ids;
import static io.heddle.internal.route.Mesh.ip;
import static io.heddle.internal.route.Mesh.named;
import static io.heddle.internal.route.Mesh.pod;
import static io.heddle.internal.route.Mesh.ports;
import static io.heddle.internal.route.Mesh.reference;
import static io.heddle.internal.route.Mesh.refusal;
import static io.heddle.internal.route.Mesh.serves;
import static io.heddle.internal.route.Mesh.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.net.Cidr;
import io.heddle.internal.state.HealthStatus;
import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.LoadBalancing.HealthPolicy;
import io.heddle.internal.state.LoadBalancing.Mode;
import io.heddle.internal.state.MeshAddress;
import io.heddle.internal.state.NetworkCidr;
import io.heddle.internal.state.NetworkMode;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What went wrong in the field with destinations. */
class RouteFieldReportsTest {

  @ParameterizedTest(name = "B049 dialling {0} is refused: loop detected")
  @ValueSource(
      strings = {
        "127.0.0.1:15008",
        "[::1]:15008",
        "10.0.0.1:15008",
        "10.0.0.1:15001",
        "127.0.0.1:15006",
      })
  void loops(String authority) {
    assertThat(Mesh.of().dial(authority))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Refusal.LOOP_DETECTED);
              assertThat(refused.message()).contains("loop detected").startsWith(authority);
            });
  }

  @Test
  @DisplayName("B049 the own application's port may be dialled")
  void ownApplication() {
    assertThat(dialled(Mesh.of().dial("10.0.0.1:8080"))).isEqualTo("10.0.0.1:15008");
  }

  @Test
  @DisplayName("B049 a service that maps to the own tunnel port is refused: loop detected")
  void loopThroughService() {
    Workload self = client().services(serves("example.com", 80, 15008)).build();

    assertThat(refusal(Mesh.seenBy(self, service("10.96.0.1").build()).dial("10.96.0.1:80")))
        .isEqualTo(Refusal.LOOP_DETECTED);
  }

  private static Workload database() {
    return pod("db-0", "10.0.1.7").protocol(Protocol.TCP).services(serves("example.com")).build();
  }

  private static Workload partnerDatabase() {
    return pod("db-ext")
        .hostname("db.partner.example.test")
        .protocol(Protocol.TCP)
        .services(serves("example.com"))
        .build();
  }

  @Test
  @DisplayName("B075 a workload without addresses is dialled only once its host name is resolved")
  void hostnameEndpoint() {
    Mesh mesh = Mesh.of(service("10.96.0.30").build(), database(), partnerDatabase());

    assertThat(mesh.dialOften("10.96.0.30:80", RouteFieldReportsTest::nameOrAddress))
        .containsExactlyInAnyOrder("10.0.1.7:8080", "db.partner.example.test");
  }

  private static String nameOrAddress(Decision decision) {
    return decision instanceof Decision.Resolve resolve ? resolve.hostname() : dialled(decision);
  }

  @Test
  @DisplayName("B075 the decision is completed with the resolved address and the mapped port")
  void hostnameResolved() {
    Service service = service("10.96.0.30").build();
    Workload partner = partnerDatabase();

    assertThat(Mesh.of(service, partner).dial("10.96.0.30:80"))
        .isInstanceOfSatisfying(
            Decision.Resolve.class,
            resolve ->
                assertThat(resolve.at(ip("203.0.113.9")))
                    .isEqualTo(new Decision.Plain(at("203.0.113.9", 8080), partner, service)));
  }

  @Test
  @DisplayName("B075 a lone endpoint without address and name is refused: no address")
  void noAddress() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.30").build(), pod("empty").services(serves("example.com")).build());

    assertThat(mesh.dial("10.96.0.30:80"))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Refusal.NO_ADDRESS);
              assertThat(refused.message()).contains("no address");
            });
  }

  /** A service with the given waypoint, and a waypoint that is known by name, VIP and address. */
  private static MeshAddress[] meshWithWaypoint(String waypointReference) {
    return new MeshAddress[] {
      service("10.96.0.41").waypoint(reference(waypointReference, 15008)).build(),
      pod("web", "10.0.0.2").services(serves("example.com")).build(),
      named("waypoint.shop.svc.cluster.local", "10.96.0.44").ports(ports(15008, 15008)).build(),
      named("empty.shop.svc.cluster.local", "10.96.0.45").ports(ports(15008, 15008)).build(),
      pod("waypoint", "10.0.2.9")
          .protocol(Protocol.TCP)
          .services(serves("waypoint.shop.svc.cluster.local"))
          .build()
    };
  }

  @ParameterizedTest(name = "B076 a waypoint given as {0} is asked for the service''s address")
  @ValueSource(strings = {"shop/waypoint.shop.svc.cluster.local", "/10.96.0.44", "/10.0.2.9"})
  void waypointReferences(String waypoint) {
    assertThat(Mesh.of(meshWithWaypoint(waypoint)).dial("10.96.0.41:80"))
        .isInstanceOfSatisfying(
            Decision.Hbone.class,
            tunnel -> {
              assertThat(tunnel.address()).isEqualTo(at("10.0.2.9", 15008));
              assertThat(tunnel.authority()).hasToString("10.96.0.41:80");
              assertThat(tunnel.expectedIdentities()).isEqualTo(ids(Mesh.WAYPOINT_ID));
              assertThat(tunnel.viaWaypoint()).isTrue();
            });
  }

  @ParameterizedTest(name = "B076 with the waypoint {0} the service is refused, never direct")
  @ValueSource(
      strings = {
        "shop/not-there.shop.svc.cluster.local",
        "shop/empty.shop.svc.cluster.local",
        "/10.96.0.45",
        "/10.9.9.9"
      })
  void waypointMissing(String waypoint) {
    assertThat(refusal(Mesh.of(meshWithWaypoint(waypoint)).dial("10.96.0.41:80")))
        .isEqualTo(Refusal.WAYPOINT_UNAVAILABLE);
  }

  @Test
  @DisplayName("B076 a waypoint does not send to itself what is addressed to its service")
  void waypointItself() {
    MeshAddress[] mesh = meshWithWaypoint("shop/waypoint.shop.svc.cluster.local");

    assertThat(asked(Mesh.seenBy((Workload) mesh[4], mesh).dial("10.96.0.41:80")))
        .isEqualTo("10.0.0.2:8080");
  }

  static Stream<Arguments> unusableServices() {
    MeshAddress sick =
        pod("sick", "10.0.3.1")
            .status(HealthStatus.UNHEALTHY)
            .services(serves("example.com"))
            .build();
    MeshAddress remote =
        pod("remote", "10.1.0.1").network("remote").services(serves("example.com")).build();
    return Stream.of(
        Arguments.of("without endpoints", List.of(), 80, Refusal.NO_ENDPOINTS),
        Arguments.of("with unhealthy endpoints", List.of(sick), 80, Refusal.NONE_HEALTHY),
        Arguments.of("with endpoints elsewhere", List.of(remote), 80, Refusal.OTHER_NETWORK),
        Arguments.of("at another port", List.of(), 81, Refusal.UNKNOWN_PORT));
  }

  @ParameterizedTest(name = "B087 a known service {0} is refused: {3}")
  @MethodSource("unusableServices")
  void unusableServices(String what, List<MeshAddress> endpoints, int port, Refusal expected) {
    Stream<MeshAddress> all =
        Stream.concat(Stream.of(service("10.96.0.20").build()), endpoints.stream());

    assertThat(refusal(Mesh.of(all.toArray(MeshAddress[]::new)).dial("10.96.0.20:" + port)))
        .as(what)
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("B087 with the health policy ALLOW_ALL unhealthy endpoints are used")
  void allowAll() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.22")
                .loadBalancing(
                    new LoadBalancing(Mode.UNSPECIFIED, List.of(), HealthPolicy.ALLOW_ALL))
                .build(),
            pod("sick", "10.0.3.1")
                .status(HealthStatus.UNHEALTHY)
                .services(serves("example.com"))
                .build());

    assertThat(asked(mesh.dial("10.96.0.22:80"))).isEqualTo("10.0.3.1:8080");
  }

  @Test
  @DisplayName("B087 the refusal says what was asked, what was found and what to do")
  void refusalText() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.20").build(),
            pod("remote", "10.1.0.1").network("remote").services(serves("example.com")).build(),
            pod("sick", "10.0.3.1")
                .status(HealthStatus.UNHEALTHY)
                .services(serves("example.com"))
                .build());

    assertThat(((Decision.Refused) mesh.dial("10.96.0.20:80")).message())
        .isEqualTo(
            "10.96.0.20:80: not a reachable network (shop/example.com, endpoints: 1 not a reachable"
                + " network, 1 unhealthy); give the endpoint's network a gateway, or check"
                + " NETWORK");
  }

  private static Workload mapping(String name, String address, int target) {
    return pod(name, address).services(serves("example.com", 80, target)).build();
  }

  @Test
  @DisplayName("B088 only endpoints that map the named port are used, each with its own port")
  void namedPort() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").ports(ports(80, 0)).build(),
            mapping("w1", "10.0.0.11", 8080),
            mapping("w2", "10.0.0.12", 9090),
            pod("w3", "10.0.0.13").services(serves("example.com")).build(),
            mapping("w4", "10.0.0.14", 0));

    assertThat(mesh.dialOften("10.96.0.1:80", Mesh::asked))
        .containsExactlyInAnyOrder("10.0.0.11:8080", "10.0.0.12:9090");
  }

  @Test
  @DisplayName("B088 when every endpoint lacks the named port the service is refused")
  void namedPortMissing() {
    Mesh mesh =
        Mesh.of(
            service("10.96.0.1").ports(ports(80, 0)).build(),
            pod("w3", "10.0.0.13").services(serves("example.com")).build(),
            mapping("w4", "10.0.0.14", 0));

    assertThat(mesh.dial("10.96.0.1:80"))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Refusal.NO_TARGET_PORT);
              assertThat(refused.message()).contains("10.96.0.1:80: no endpoint has the port");
            });
  }

  private static Mesh dualStack(IpFamilies families) {
    return Mesh.of(
        service("10.96.0.1", "2001:db8:96::1").ipFamilies(families).build(),
        pod("w1", "10.0.0.5", "2001:db8::5").services(serves("example.com")).build(),
        pod("w2", "10.0.0.6").services(serves("example.com")).build());
  }

  @ParameterizedTest(name = "B089 dialling {0} leads to {1}")
  @CsvSource({
    "[2001:db8::5]:8080, [2001:db8::5]:8080",
    "10.0.0.5:8080, 10.0.0.5:8080",
    "[2001:db8:96::1]:80, [2001:db8::5]:8080|10.0.0.6:8080",
    "10.96.0.1:80, 10.0.0.5:8080|10.0.0.6:8080",
    "[::ffff:10.96.0.1]:80, 10.0.0.5:8080|10.0.0.6:8080",
  })
  void families(String dialled, String expected) {
    assertThat(dualStack(IpFamilies.DUAL).dialOften(dialled, Mesh::asked))
        .containsExactlyInAnyOrder(expected.split("\\|"));
  }

  @Test
  @DisplayName("B089 of two addresses of one family the one that was dialled is used")
  void secondAddress() {
    assertThat(dialled(Mesh.of(pod("web", "10.0.0.5", "10.0.0.7").build()).dial("10.0.0.7:80")))
        .isEqualTo("10.0.0.7:15008");
  }

  @Test
  @DisplayName("B089 a service of IPv4 only is reached by IPv4")
  void ipv4Only() {
    assertThat(dualStack(IpFamilies.IPV4_ONLY).dialOften("10.96.0.1:80", Mesh::asked))
        .containsExactlyInAnyOrder("10.0.0.5:8080", "10.0.0.6:8080");
  }

  private static Workload onNode(String name) {
    return pod(name, "10.20.0.1")
        .protocol(Protocol.TCP)
        .networkMode(NetworkMode.HOST_NETWORK)
        .services(serves("example.com"))
        .build();
  }

  @Test
  @DisplayName("B090 a node's address is a stranger, whatever pods share it")
  void nodeAddress() {
    assertThat(Mesh.of(onNode("w1"), onNode("w2")).dial("10.20.0.1:9100"))
        .isEqualTo(new Decision.Passthrough(at("10.20.0.1", 9100)));
  }

  @Test
  @DisplayName("B090 through the service a host-network pod is reached plainly at its target port")
  void nodeByService() {
    Service service = service("10.96.0.1").build();

    assertThat(Mesh.of(service, onNode("w1")).dial("10.96.0.1:80"))
        .isEqualTo(new Decision.Plain(at("10.20.0.1", 8080), onNode("w1"), service));
  }

  private static Service.Builder range(String prefix) {
    return named("ext.example.test")
        .cidrVips(List.of(new NetworkCidr("", Cidr.parse(prefix))))
        .ports(ports(443, 443))
        .loadBalancing(new LoadBalancing(Mode.PASSTHROUGH, List.of(), HealthPolicy.ONLY_HEALTHY));
  }

  @ParameterizedTest(name = "B092 a pass-through range is dialled plainly at {0}, declared or not")
  @ValueSource(ints = {443, 8443})
  void passthroughRange(int port) {
    assertThat(Mesh.of(range("203.0.113.0/28").build()).dial("203.0.113.5:" + port))
        .isEqualTo(new Decision.Passthrough(at("203.0.113.5", port)));
  }

  @Test
  @DisplayName("B092 a pass-through range with a waypoint is asked of the waypoint")
  void passthroughRangeWithWaypoint() {
    Mesh mesh =
        Mesh.of(
            range("203.0.113.64/28").waypoint(reference("/10.0.2.9", 15008)).build(),
            pod("waypoint", "10.0.2.9").build());

    Decision decision = mesh.dial("203.0.113.70:443");

    assertThat(dialled(decision)).isEqualTo("10.0.2.9:15008");
    assertThat(asked(decision)).isEqualTo("203.0.113.70:443");
  }
}
