// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.identity.TrustDomain;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.policy.Action;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.Clause;
import io.heddle.internal.policy.Condition;
import io.heddle.internal.policy.Match;
import io.heddle.internal.policy.Rule;
import io.heddle.internal.policy.Scope;
import io.heddle.internal.policy.StringMatch;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.ApplicationTunnel;
import io.heddle.internal.state.Endpoint;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.LoadBalancing.HealthPolicy;
import io.heddle.internal.state.LoadBalancing.Mode;
import io.heddle.internal.state.LoadBalancing.RoutingScope;
import io.heddle.internal.state.Locality;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Visibility;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whole files, as people write them. */
class LocalConfigFilesTest {

  private static final TrustDomain CLUSTER_LOCAL = TrustDomain.parse("cluster.local");

  @Test
  @DisplayName("the smallest file for two processes on one machine")
  void twoWorkloads() throws IOException {
    LocalConfig config = parse("two-workloads-loopback.yaml");
    MeshSnapshot snapshot = applied(config);

    assertThat(config.warnings()).isEmpty();
    Workload api = snapshot.workload("", ip("127.0.0.1"));
    assertThat(api)
        .isEqualTo(
            Workload.builder("c1//v1/Pod/pay/api-1")
                .name("api-1")
                .namespace("pay")
                .serviceAccount("api")
                .trustDomain("cluster.local")
                .addresses(List.of(ip("127.0.0.1")))
                .protocol(Protocol.HBONE)
                .node("local")
                .services(
                    Map.of(
                        NamespacedHostname.parse("pay/api.pay.svc.cluster.local"),
                        PortMap.of(Map.of(80, 8080))))
                .build());
    Service service = snapshot.serviceByVip("", ip("127.10.0.1"), "shop");
    assertThat(service).isNotNull();
    assertThat(service.subjectAltNames()).containsExactly("spiffe://cluster.local/ns/pay/sa/api");
    assertThat(snapshot.endpoints(service.key()).all())
        .extracting(endpoint -> endpoint.workload().protocol())
        .containsExactlyInAnyOrder(Protocol.HBONE, Protocol.TCP);
  }

  @Test
  @DisplayName("two families, a named port, and a mapped address that is the same as its IPv4 one")
  void dualStackNamedPort() throws IOException {
    MeshSnapshot snapshot = applied(parse("dual-stack-named-port.yaml"));

    Workload web = snapshot.workload("net-a", ip("::1"));
    assertThat(web).isNotNull();
    assertThat(web).isEqualTo(snapshot.workload("net-a", ip("127.0.0.1")));
    assertThat(web.addresses()).containsExactly(ip("127.0.0.1"), ip("::1"));
    Service service = snapshot.serviceByVip("net-a", ip("127.10.0.5"), "shop");
    assertThat(service).isNotNull();
    assertThat(service.vips()).hasSize(1);
    assertThat(service.ipFamilies()).isEqualTo(IpFamilies.DUAL);
    assertThat(service.ports().target(80)).isZero();
    Endpoint old = snapshot.endpoints(service.key()).of("c1//v1/Pod/shop/web-old");
    assertThat(old).isNotNull();
    assertThat(old.ports().target(80)).isEqualTo(PortMap.ABSENT);
    assertThat(old.ports().target(443)).isEqualTo(8443);
  }

  @Test
  @DisplayName("policies of the three scopes, with matches written as mappings")
  void policies() throws IOException {
    LocalConfig config = parse("policies-three-scopes.yaml");

    assertThat(config.warnings()).isEmpty();
    assertThat(config.policies())
        .containsExactly(
            new AuthorizationPolicy(
                "pay",
                "only-web",
                Scope.WORKLOAD_SELECTOR,
                Action.ALLOW,
                false,
                rule(principals(List.of(exact("cluster.local/ns/shop/sa/web")), List.of()))),
            new AuthorizationPolicy(
                "pay", "no-9999", Scope.NAMESPACE, Action.DENY, false, rule(ports(9999))),
            new AuthorizationPolicy(
                "",
                "mesh-wide-no-plaintext",
                Scope.GLOBAL,
                Action.DENY,
                true,
                rule(principals(List.of(), List.of(new StringMatch.Presence())))));
    assertThat(applied(config).policies().policies()).containsKey("pay/only-web");
  }

  @Test
  @DisplayName("the reference's own example: waypoint, application tunnel, failover, tagged match")
  void referenceExample() throws IOException {
    LocalConfig config = parse("cart-with-waypoint.yaml");
    MeshSnapshot snapshot = applied(config);

    assertThat(config.warnings()).isEmpty();
    Workload waypoint = snapshot.workload("c1//v1/Pod/shop/wp-0");
    assertThat(waypoint).isNotNull();
    assertThat(waypoint.applicationTunnel())
        .isEqualTo(new ApplicationTunnel(ApplicationTunnel.Protocol.PROXY, 15_088));
    Workload cart = snapshot.workload("c1//v1/Pod/shop/cart-0");
    assertThat(cart).isNotNull();
    assertThat(cart.locality()).isEqualTo(new Locality("eu", "eu-a", ""));
    Service service = snapshot.serviceByHostname("cart.shop.svc.cluster.local", "shop");
    assertThat(service)
        .isEqualTo(
            Service.builder("cart", "shop", "cart.shop.svc.cluster.local")
                .vips(List.of(NetworkAddress.parse("/10.30.0.1")))
                .ports(PortMap.of(Map.of(80, 8080)))
                .waypoint(
                    new GatewayAddress.ByHostname(
                        NamespacedHostname.parse("shop/wp.shop.svc.cluster.local"), 15_008))
                .loadBalancing(
                    new LoadBalancing(
                        Mode.FAILOVER,
                        List.of(RoutingScope.NETWORK, RoutingScope.REGION),
                        HealthPolicy.ONLY_HEALTHY))
                .ipFamilies(IpFamilies.IPV4_ONLY)
                .visibility(Visibility.PUBLIC)
                .build());
    assertThat(config.policies())
        .containsExactly(
            new AuthorizationPolicy(
                "shop",
                "only-front",
                Scope.NAMESPACE,
                Action.ALLOW,
                false,
                List.of(
                    new Rule(
                        List.of(
                            new Clause(
                                List.of(
                                    principals(
                                        List.of(exact("cluster.local/ns/shop/sa/front")),
                                        List.of()))),
                            new Clause(List.of(ports(8080))))))));
  }

  @Test
  @DisplayName("every mistake of a bad file is named at once, with its line")
  void badFile() {
    InvalidLocalConfigException invalid =
        catchThrowableOfType(
            InvalidLocalConfigException.class,
            () -> parse("bad/duplicate-uid-and-unknown-field.yaml"));

    assertThat(invalid.problems())
        .extracting(Problem::toString)
        .containsExactly(
            "line 4, workloads[1].workloadIps[0]: '127.0.0.300' is not an IP address; write an"
                + " IPv4 or IPv6 address without network and port",
            "line 4, workloads[1].uid: the uid 'a' is taken since line 3; give it another name",
            "line 4, workloads[1].protocol: 'hbone2' is not known here; did you mean 'HBONE'?",
            "line 5, service: there is no field 'service' here; did you mean 'services'?");
    assertThat(invalid)
        .hasMessageStartingWith(
            "bad/duplicate-uid-and-unknown-field.yaml was not applied, 4 problems:");
  }

  private static LocalConfig parse(String name) throws IOException {
    try (InputStream in = LocalConfigFilesTest.class.getResourceAsStream("/local-config/" + name)) {
      String yaml =
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
      return LocalConfig.parse(yaml, name, CLUSTER_LOCAL);
    }
  }

  private static MeshSnapshot applied(LocalConfig config) {
    return new WorkloadIndex("", UnknownPolicies.REFUSE).apply(config.replacement());
  }

  private static List<Rule> rule(Match match) {
    return List.of(new Rule(List.of(new Clause(List.of(match)))));
  }

  private static Match principals(List<StringMatch> anyOf, List<StringMatch> noneOf) {
    Match empty = Match.empty();
    return new Match(
        empty.namespaces(),
        empty.serviceAccounts(),
        new Condition<>(anyOf, noneOf),
        empty.sourceIps(),
        empty.destinationIps(),
        empty.destinationPorts());
  }

  private static Match ports(int port) {
    Match empty = Match.empty();
    return new Match(
        empty.namespaces(),
        empty.serviceAccounts(),
        empty.principals(),
        empty.sourceIps(),
        empty.destinationIps(),
        new Condition<>(List.of(port), List.of()));
  }

  private static StringMatch exact(String value) {
    return new StringMatch.Exact(value);
  }

  private static InetAddress ip(String literal) {
    return Objects.requireNonNull(IpAddresses.parse(literal), literal);
  }
}
