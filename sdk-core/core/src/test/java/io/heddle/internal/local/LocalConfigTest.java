// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.WorkloadType;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.policy.Scope;
import io.heddle.internal.policy.StringMatch;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.HealthStatus;
import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.LoadBalancing.Mode;
import io.heddle.internal.state.NetworkMode;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Visibility;
import io.heddle.internal.state.WeightedWaypoint;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is accepted, and what it means. */
class LocalConfigTest {

  private static final TrustDomain MESH_TEST = TrustDomain.parse("mesh.test");

  @ParameterizedTest(name = "a comparison written {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "!Exact web | Exact | web",
        "{Exact: web} | Exact | web",
        "!Prefix we | Prefix | we",
        "{Prefix: we} | Prefix | we",
        "!Prefix '' | Prefix | ''",
        "!Suffix /sa/web | Suffix | /sa/web",
        "{'Suffix': '/sa/web'} | Suffix | /sa/web",
        "!Exact 8080 | Exact | 8080",
        "!Presence [] | Presence | ''",
        "!Presence | Presence | ''",
        "!Presence {} | Presence | ''",
        "{Presence: []} | Presence | ''",
        "{Presence: {}} | Presence | ''",
        "{Presence: } | Presence | ''",
        "{Presence: null} | Presence | ''",
      })
  void comparisons(String written, String kind, String operand) {
    LocalConfig config =
        parse(
            """
            policies:
            - {name: p, namespace: shop, scope: Namespace, action: Allow, rules: [[[{namespaces: [%s ]}]]]}
            """
                .formatted(written));

    StringMatch expected =
        switch (kind) {
          case "Exact" -> new StringMatch.Exact(operand);
          case "Prefix" -> new StringMatch.Prefix(operand);
          case "Suffix" -> new StringMatch.Suffix(operand);
          default -> new StringMatch.Presence();
        };
    assertThat(
            config
                .policies()
                .get(0)
                .rules()
                .get(0)
                .clauses()
                .get(0)
                .matches()
                .get(0)
                .namespaces()
                .anyOf())
        .containsExactly(expected);
  }

  @Test
  @DisplayName("a workload's defaults: an empty trust domain is the configured one")
  void workloadDefaults() {
    Workload workload =
        parse(
                """
                workloads:
                - {workloadIps: [], namespace: shop, name: web, services: {}, trustDomain: ""}
                - {workloadIps: ["10.0.0.1"], namespace: shop, uid: x, services: {}}
                """)
            .workloads()
            .get(0);

    assertThat(workload)
        .isEqualTo(
            Workload.builder("local//shop/web")
                .name("web")
                .namespace("shop")
                .serviceAccount("default")
                .trustDomain("mesh.test")
                .build());
    assertThat(workload.capacity()).isEqualTo(1);
  }

  @Test
  @DisplayName("every field of a workload")
  void workloadFields() {
    Workload workload =
        parse(
                """
                workloads:
                - uid: u
                  name: n
                  namespace: shop
                  trustDomain: other.test
                  serviceAccount: sa
                  clusterId: c1
                  network: net-a
                  workloadIps: ["2001:db8::5"]
                  hostname: db.example.test
                  node: node-a
                  protocol: HBONE
                  networkMode: HostNetwork
                  status: Unhealthy
                  nativeTunnel: true
                  waypoint: {destination: /10.0.0.9}
                  networkGateway: {destination: net-b/192.0.2.1, hboneMtlsPort: 15009}
                  workloadName: web
                  workloadType: pod
                  canonicalName: web
                  canonicalRevision: v2
                  services: {shop/web.example.test: {"80": "8080", 443: 0}}
                  capacity: 0
                """)
            .workloads()
            .get(0);

    assertThat(workload.trustDomain()).isEqualTo("other.test");
    assertThat(workload.clusterId()).isEqualTo("c1");
    assertThat(workload.network()).isEqualTo("net-a");
    assertThat(workload.addresses()).extracting(ip -> ip.getAddress().length).containsExactly(16);
    assertThat(workload.hostname()).isEqualTo("db.example.test");
    assertThat(workload.node()).isEqualTo("node-a");
    assertThat(workload.networkMode()).isEqualTo(NetworkMode.HOST_NETWORK);
    assertThat(workload.status()).isEqualTo(HealthStatus.UNHEALTHY);
    assertThat(workload.nativeTunnel()).isTrue();
    assertThat(workload.waypoint()).isEqualTo(GatewayAddress.parse("/10.0.0.9", 15_008));
    assertThat(workload.networkGateway())
        .isEqualTo(GatewayAddress.parse("net-b/192.0.2.1", 15_009));
    assertThat(workload.workloadName()).isEqualTo("web");
    assertThat(workload.workloadType()).isEqualTo(WorkloadType.POD);
    assertThat(workload.canonicalName()).isEqualTo("web");
    assertThat(workload.canonicalRevision()).isEqualTo("v2");
    assertThat(workload.services().values()).hasToString("[{80=8080, 443=0}]");
    assertThat(workload.capacity()).isZero();
  }

  @Test
  @DisplayName("the fields of a service that are seldom used")
  void serviceFields() {
    Service service =
        parse(
                """
                services:
                - name: web
                  namespace: shop
                  hostname: web.example.test
                  vips: []
                  cidrVips: [{network: net-a, cidr: 203.0.113.7/28}, {cidr: "2001:db8::/32"}]
                  ports: {}
                  endpoints: {}
                  waypoint: null
                  weightedWaypoints:
                  - {destination: {destination: shop/wp.example.test, hboneMtlsPort: 15009}, weight: 3}
                  - {destination: net-a/10.0.0.9, weight: 1}
                  loadBalancer: {mode: Passthrough, healthPolicy: AllowAll, routingPreferences: []}
                  ipFamilies:
                  canonical: true
                  visibility: Namespace
                """)
            .services()
            .get(0);

    assertThat(service.cidrVips()).hasToString("[net-a/203.0.113.0/28, /2001:db8:0:0:0:0:0:0/32]");
    assertThat(service.waypoint()).isNull();
    assertThat(service.weightedWaypoints())
        .containsExactly(
            new WeightedWaypoint(GatewayAddress.parse("shop/wp.example.test", 15_009), 3),
            new WeightedWaypoint(GatewayAddress.parse("net-a/10.0.0.9", 15_008), 1));
    assertThat(service.loadBalancing().mode()).isEqualTo(Mode.PASSTHROUGH);
    assertThat(service.ipFamilies()).isEqualTo(IpFamilies.AUTOMATIC);
    assertThat(service.canonical()).isTrue();
    assertThat(service.visibility()).isEqualTo(Visibility.NAMESPACE);
  }

  @Test
  @DisplayName("JSON is YAML, and an alias repeats what its anchor says")
  void jsonAndAliases() {
    LocalConfig json =
        parse(
            "{\"workloads\":[{\"uid\":\"a\",\"namespace\":\"shop\",\"workloadIps\":[],"
                + "\"services\":{}}]}");
    LocalConfig aliased =
        parse(
            """
            workloads:
            - {uid: a, namespace: shop, workloadIps: [], services: &s {shop/x.test: {80: 80}}}
            - {uid: b, namespace: shop, workloadIps: [], services: *s}
            """);

    assertThat(json.workloads()).hasSize(1);
    assertThat(aliased.workloads().get(1).services())
        .isEqualTo(aliased.workloads().get(0).services())
        .hasSize(1);
  }

  @Test
  @DisplayName("a policy without rules is one that allows nothing, and is kept")
  void policyWithoutRules() {
    LocalConfig config =
        parse(
            """
            policies:
            - {name: none, namespace: "", scope: Global, action: Allow, rules: []}
            """);

    assertThat(config.policies().get(0).scope()).isEqualTo(Scope.GLOBAL);
    assertThat(config.policies().get(0).rules()).isEmpty();
  }

  @Test
  @DisplayName("a name that nothing in the file has is a warning, with its consequence")
  void danglingReferences() {
    LocalConfig config =
        parse(
            """
            workloads:
            - uid: a
              namespace: shop
              workloadIps: []
              services: {shop/x.test: {80: 80}}
              authorizationPolicies: [shop/missing]
            """);

    assertThat(config.warnings())
        .extracting(Problem::toString)
        .containsExactlyInAnyOrder(
            "line 5, workloads[0].services[\"shop/x.test\"]: the service 'shop/x.test' is not in"
                + " this file; no connection reaches the workload through it",
            "line 6, workloads[0].authorizationPolicies[0]: the policy 'shop/missing' is not in"
                + " this file; while a policy is missing, connections to the workload are refused");
  }

  @Test
  @DisplayName("a text given inline is applied like a file")
  void inline() {
    WorkloadIndex index = new WorkloadIndex("", UnknownPolicies.REFUSE);

    index.apply(
        LocalConfig.parse(
                "workloads: [{uid: a, namespace: shop, workloadIps: [], services: {}}]",
                "LOCAL_XDS",
                MESH_TEST)
            .replacement());

    assertThat(index.current().workloads()).extracting(Workload::uid).isEqualTo(List.of("a"));
  }

  private static LocalConfig parse(String yaml) {
    return LocalConfig.parse(yaml, "test", MESH_TEST);
  }
}
