// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import static io.heddle.internal.route.Mesh.asked;
import static io.heddle.internal.route.Mesh.at;
import static io.heddle.internal.route.Mesh.client;
import static io.heddle.internal.route.Mesh.dialled;
import static io.heddle.internal.route.Mesh.ip;
import static io.heddle.internal.route.Mesh.named;
import static io.heddle.internal.route.Mesh.pod;
import static io.heddle.internal.route.Mesh.reference;
import static io.heddle.internal.route.Mesh.refusal;
import static io.heddle.internal.route.Mesh.serves;
import static io.heddle.internal.route.Mesh.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.route.RouteSettings.UnknownDestinations;
import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.LoadBalancing.HealthPolicy;
import io.heddle.internal.state.LoadBalancing.Mode;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Visibility;
import io.heddle.internal.state.Workload;
import java.net.StandardProtocolFamily;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, identities and the corners of the algorithm. */
class RouterTest {

  private static final String WEB = "web.shop.svc.cluster.local";

  private static Service.Builder web() {
    return named(WEB, "10.96.0.1");
  }

  private static Workload webPod() {
    return pod("web", "10.0.0.2").services(serves(WEB)).build();
  }

  @ParameterizedTest(name = "the name {0} means the service")
  @ValueSource(
      strings = {
        "web",
        "web.shop",
        "web.shop.svc",
        "web.shop.svc.cluster.local",
        "web.shop.svc.cluster.local.",
        "WEB.Shop"
      })
  void names(String name) {
    assertThat(asked(Mesh.of(web().build(), webPod()).dial(name + ":80")))
        .isEqualTo("10.0.0.2:8080");
  }

  @Test
  @DisplayName("a short name of another namespace is DNS's to answer")
  void shortNameElsewhere() {
    Workload foreign = client().namespace("pay").build();

    assertThat(Mesh.seenBy(foreign, web().build(), webPod()).dial("web:80"))
        .isInstanceOf(Decision.Resolve.class);
  }

  @Test
  @DisplayName("an external name with a search domain appended means the external name")
  void searchDomain() {
    Mesh mesh =
        Mesh.of(
            named("api.example.test", "240.240.0.1").build(),
            pod("api", "10.0.0.2").services(serves("api.example.test")).build());

    assertThat(asked(mesh.dial("api.example.test.shop.svc.cluster.local:80")))
        .isEqualTo("10.0.0.2:8080");
  }

  @Test
  @DisplayName("the most specific wildcard answers for a name")
  void wildcards() {
    Mesh mesh =
        Mesh.of(
            named("*.example.test", "240.240.0.1").build(),
            named("*.eu.example.test", "240.240.0.2").build(),
            pod("any", "10.0.0.2").services(serves("*.example.test")).build(),
            pod("eu", "10.0.0.3").services(serves("*.eu.example.test")).build());

    assertThat(asked(mesh.dial("a.b.eu.example.test:80"))).isEqualTo("10.0.0.3:8080");
    assertThat(asked(mesh.dial("a.us.example.test:80"))).isEqualTo("10.0.0.2:8080");
    assertThat(mesh.dial("example.test:80")).isInstanceOf(Decision.Resolve.class);
  }

  @ParameterizedTest(name = "DNS-01 the candidates for {0} are {1}")
  @CsvSource({
    "a, a a.shop.svc.cluster.local",
    "a.b, a.b a.b.svc.cluster.local a.b.shop.svc.cluster.local",
    "a.b.svc, a.b.svc a.b.svc.cluster.local a.b.svc.svc.cluster.local",
    "a.b.c, a.b.c a.b.c.svc.cluster.local",
    "a.b.c.svc, a.b.c.svc a.b.c.svc.cluster.local",
    "a.b.c.d, a.b.c.d",
  })
  void candidates(String name, String expected) {
    assertThat(new ServiceNames("cluster.local", null).candidates(name, "shop"))
        .containsExactly(expected.split(" "));
  }

  @Test
  @DisplayName("an unknown name is resolved, and its address decides")
  void unknownName() {
    Workload meshed = webPod();

    assertThat(Mesh.of(meshed).dial("web-0.web.elsewhere.test:80"))
        .isInstanceOfSatisfying(
            Decision.Resolve.class,
            resolve -> {
              assertThat(resolve.hostname()).isEqualTo("web-0.web.elsewhere.test");
              assertThat(resolve.at(ip("198.51.100.7")))
                  .isEqualTo(new Decision.Passthrough(at("198.51.100.7", 80)));
              assertThat(dialled(resolve.at(ip("10.0.0.2")))).isEqualTo("10.0.0.2:15008");
            });
  }

  @Test
  @DisplayName("an invisible service is a stranger, by address and by name")
  void invisible() {
    Service hidden = web().visibility(Visibility.NAMESPACE).build();
    Workload foreign = client().namespace("pay").build();

    Mesh mesh = Mesh.seenBy(foreign, hidden, webPod());

    assertThat(mesh.dial("10.96.0.1:80")).isEqualTo(new Decision.Passthrough(at("10.96.0.1", 80)));
    assertThat(mesh.dial(WEB + ":80")).isInstanceOf(Decision.Resolve.class);
  }

  @Test
  @DisplayName("a name leads to an endpoint of the preferred family")
  void familyOfName() {
    Mesh mesh =
        Mesh.of(
            named(WEB, "10.96.0.1", "2001:db8:96::1").build(),
            pod("web", "10.0.0.2", "2001:db8::2").services(serves(WEB)).build());

    assertThat(asked(mesh.dial("web:80", StandardProtocolFamily.INET6)))
        .isEqualTo("[2001:db8::2]:8080");
    assertThat(asked(mesh.dial("web:80", StandardProtocolFamily.INET))).isEqualTo("10.0.0.2:8080");
  }

  @Test
  @DisplayName("a service dialled by name goes to its waypoint under its address")
  void waypointByName() {
    Mesh mesh =
        Mesh.of(
            web().waypoint(reference("/10.0.0.9", 15008)).build(),
            webPod(),
            pod("waypoint", "10.0.0.9").build());

    assertThat(dialled(mesh.dial("web:80"))).isEqualTo("10.0.0.9:15008");
    assertThat(asked(mesh.dial("web:80"))).isEqualTo("10.96.0.1:80");
  }

  @Test
  @DisplayName("a service without an address on this network goes to its waypoint under its name")
  void waypointWithoutVip() {
    Service elsewhere =
        Service.builder("web", "shop", WEB)
            .vips(List.of(NetworkAddress.parse("remote/10.96.0.1")))
            .ports(Mesh.ports(80, 8080))
            .waypoint(reference("/10.0.0.9", 15008))
            .build();

    assertThat(asked(Mesh.of(elsewhere, pod("waypoint", "10.0.0.9").build()).dial("web:80")))
        .isEqualTo(WEB + ":80");
  }

  @Test
  @DisplayName("a headless service leads to a pod's address and the very port that was dialled")
  void headless() {
    Mesh mesh = Mesh.of(named(WEB).build(), webPod());

    assertThat(asked(mesh.dial("web:80"))).isEqualTo("10.0.0.2:80");
    assertThat(asked(mesh.dial("web:5432"))).isEqualTo("10.0.0.2:5432");
  }

  @Test
  @DisplayName("a headless service bypasses its own waypoint and honours the pod's")
  void headlessWaypoints() {
    Service headless = named(WEB).waypoint(reference("/10.0.0.8", 15008)).build();
    Workload guarded =
        pod("web", "10.0.0.2")
            .services(serves(WEB))
            .waypoint(reference("/10.0.0.9", 15008))
            .build();

    Mesh mesh = Mesh.of(headless, guarded, pod("waypoint", "10.0.0.9").build());

    assertThat(dialled(mesh.dial("web:80"))).isEqualTo("10.0.0.9:15008");
    assertThat(asked(mesh.dial("web:80"))).isEqualTo("10.0.0.2:80");
  }

  @Test
  @DisplayName("a headless service without endpoints is refused")
  void headlessEmpty() {
    assertThat(refusal(Mesh.of(named(WEB).build()).dial("web:80"))).isEqualTo(Refusal.NO_ENDPOINTS);
  }

  @Test
  @DisplayName("an external name without an address is DNS's to answer")
  void externalWithoutVip() {
    assertThat(Mesh.of(named("api.example.test").build()).dial("api.example.test:443"))
        .isInstanceOf(Decision.Resolve.class);
  }

  @Test
  @DisplayName("a pass-through service dialled by name is DNS's to answer")
  void passthroughByName() {
    Service service =
        web()
            .loadBalancing(
                new LoadBalancing(Mode.PASSTHROUGH, List.of(), HealthPolicy.ONLY_HEALTHY))
            .build();

    assertThat(Mesh.of(service).dial("web:80"))
        .isInstanceOfSatisfying(
            Decision.Resolve.class,
            resolve ->
                assertThat(resolve.at(ip("10.96.0.1")))
                    .isEqualTo(new Decision.Passthrough(at("10.96.0.1", 80))));
  }

  @Test
  @DisplayName("service-level identities may answer besides the endpoint's own")
  void expectedIdentities() {
    Service service =
        web()
            .subjectAltNames(List.of("spiffe://mesh.test/ns/shop/sa/web-vm", "web.example.test"))
            .build();

    assertThat(Mesh.of(service, webPod()).dial("10.96.0.1:80"))
        .isInstanceOfSatisfying(
            Decision.Hbone.class,
            tunnel ->
                assertThat(tunnel.expectedIdentities())
                    .isEqualTo(
                        Mesh.ids(
                            "spiffe://mesh.test/ns/shop/sa/web-vm",
                            "spiffe://mesh.test/ns/shop/sa/web")));
  }

  @Test
  @DisplayName("a peer whose identity cannot be known is not dialled")
  void unknownIdentity() {
    Workload nameless = pod("web", "10.0.0.2").serviceAccount("").build();

    assertThat(refusal(Mesh.of(nameless).dial("10.0.0.2:80"))).isEqualTo(Refusal.UNKNOWN_IDENTITY);
  }

  @Test
  @DisplayName("across networks a service without identities of its own is not dialled")
  void unknownInnerIdentity() {
    Workload remote =
        pod("remote")
            .network("remote")
            .services(serves("example.com"))
            .networkGateway(reference("remote/10.22.1.1", 15009))
            .build();
    Workload gateway = pod("gateway", "10.22.1.1").network("remote").build();

    assertThat(refusal(Mesh.of(service("10.96.0.1").build(), remote, gateway).dial("10.96.0.1:80")))
        .isEqualTo(Refusal.NO_SERVICE_IDENTITY);
  }

  @Test
  @DisplayName("a gateway that is not known is refused, known address or not")
  void unknownGateway() {
    Workload remote =
        pod("remote")
            .network("remote")
            .services(serves("example.com"))
            .networkGateway(reference("remote/10.22.1.1", 15009))
            .build();

    assertThat(refusal(Mesh.of(service("10.96.0.1").build(), remote).dial("10.96.0.1:80")))
        .isEqualTo(Refusal.GATEWAY_UNAVAILABLE);
  }

  @Test
  @DisplayName("a gateway service must declare the tunnel's port")
  void gatewayPort() {
    Service gatewayService = named("gateway.test").build();
    Workload gateway =
        pod("gateway", "10.22.1.1").network("remote").services(serves("gateway.test")).build();
    Workload remote =
        pod("remote")
            .network("remote")
            .services(serves("example.com"))
            .networkGateway(reference("shop/gateway.test", 15009))
            .build();

    assertThat(
            refusal(
                Mesh.of(service("10.96.0.1").build(), remote, gatewayService, gateway)
                    .dial("10.96.0.1:80")))
        .isEqualTo(Refusal.GATEWAY_UNAVAILABLE);
  }

  @Test
  @DisplayName("addressed by service, a workload's own waypoint is ignored")
  void workloadWaypointIgnored() {
    Workload guarded =
        pod("web", "10.0.0.2")
            .services(serves(WEB))
            .waypoint(reference("/10.0.0.9", 15008))
            .build();

    assertThat(
            dialled(
                Mesh.of(web().build(), guarded, pod("waypoint", "10.0.0.9").build())
                    .dial("10.96.0.1:80")))
        .isEqualTo("10.0.0.2:15008");
  }

  @Test
  @DisplayName("a workload's waypoint reaches the workload directly")
  void fromOwnWaypoint() {
    Workload guarded = pod("web", "10.0.0.2").waypoint(reference("/10.0.0.9", 15008)).build();
    Workload waypoint = pod("waypoint", "10.0.0.9").build();

    assertThat(dialled(Mesh.seenBy(waypoint, guarded).dial("10.0.0.2:80")))
        .isEqualTo("10.0.0.2:15008");
  }

  @Test
  @DisplayName("a workload whose waypoint is missing is refused")
  void workloadWaypointMissing() {
    Workload guarded = pod("web", "10.0.0.2").waypoint(reference("/10.0.0.9", 15008)).build();

    assertThat(refusal(Mesh.of(guarded).dial("10.0.0.2:80")))
        .isEqualTo(Refusal.WAYPOINT_UNAVAILABLE);
  }

  @Test
  @DisplayName("a network that is configured unlike the workload's hides service waypoints (2.11)")
  void networkMismatch() {
    Workload source = client().network("").build();
    RouteSettings elsewhere = RouteSettings.of("net-x");

    Decision decision =
        Mesh.with(
                elsewhere,
                source,
                web().waypoint(reference("/10.0.0.9", 15008)).build(),
                webPod(),
                pod("waypoint", "10.0.0.9").build())
            .dial("10.96.0.1:80");

    assertThat(dialled(decision)).isEqualTo("10.0.0.2:15008");
  }

  @Test
  @DisplayName(
      "an address of both a workload and a service hides the waypoint, not the balancing"
          + " (2.11)")
  void workloadAndService() {
    Decision decision =
        Mesh.of(
                web().waypoint(reference("/10.0.0.9", 15008)).build(),
                webPod(),
                pod("other", "10.96.0.1").build(),
                pod("waypoint", "10.0.0.9").build())
            .dial("10.96.0.1:80");

    assertThat(asked(decision)).isEqualTo("10.0.0.2:8080");
  }

  @Test
  @DisplayName("an address of both a workload and an empty service is refused")
  void workloadAndEmptyService() {
    assertThat(
            refusal(Mesh.of(web().build(), pod("other", "10.96.0.1").build()).dial("10.96.0.1:80")))
        .isEqualTo(Refusal.NO_ENDPOINTS);
  }

  @Test
  @DisplayName("native_tunnel does not matter for routing (2.11)")
  void nativeTunnel() {
    Workload nativeWeb = pod("web", "10.0.0.2").nativeTunnel(true).build();

    assertThat(dialled(Mesh.of(nativeWeb).dial("10.0.0.2:80"))).isEqualTo("10.0.0.2:15008");
  }

  @Test
  @DisplayName("strangers are refused if so configured, but not the own host")
  void refuseStrangers() {
    RouteSettings strict =
        new RouteSettings(
            "", "cluster.local", null, RouteSettings.MESH_PORTS, UnknownDestinations.REFUSE);

    Mesh mesh = Mesh.with(strict, client().build());

    assertThat(refusal(mesh.dial("1.2.3.4:80"))).isEqualTo(Refusal.UNKNOWN_DESTINATION);
    assertThat(mesh.dial("127.0.0.1:8080"))
        .isEqualTo(new Decision.Passthrough(at("127.0.0.1", 8080)));
  }
}
