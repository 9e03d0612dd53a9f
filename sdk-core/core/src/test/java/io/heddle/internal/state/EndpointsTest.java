// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import static io.heddle.internal.state.MeshFixture.NET_A;
import static io.heddle.internal.state.MeshFixture.apply;
import static io.heddle.internal.state.MeshFixture.endpointUids;
import static io.heddle.internal.state.MeshFixture.index;
import static io.heddle.internal.state.MeshFixture.ip;
import static io.heddle.internal.state.MeshFixture.key;
import static io.heddle.internal.state.MeshFixture.pod;
import static io.heddle.internal.state.MeshFixture.remove;
import static io.heddle.internal.state.MeshFixture.serves;
import static io.heddle.internal.state.MeshFixture.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.state.LoadBalancing.HealthPolicy;
import io.heddle.internal.state.LoadBalancing.Mode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EndpointsTest {

  private static final String WEB = "shop/web.shop.svc.cluster.local";
  private static final String WEB_1 = "c1//Pod/shop/web-1";
  private static final String WEB_2 = "c1//Pod/shop/web-2";

  private final WorkloadIndex index = index();

  @Test
  @DisplayName("ST-03 endpoints that come before their service wait, and health is judged by it")
  void endpointsBeforeService() {
    MeshSnapshot before = apply(index, web("web-1"), unhealthy("web-2"));
    assertThat(endpointUids(before, WEB)).isEmpty();

    MeshSnapshot after = apply(index, webService(HealthPolicy.ONLY_HEALTHY));

    assertThat(endpointUids(after, WEB)).containsExactly(WEB_1);
    assertThat(after.endpoints(key(WEB)).withheld()).isEqualTo(1);
  }

  @Test
  @DisplayName("ST-03 a waiting endpoint goes away with its workload")
  void waitingEndpointsAreCleaned() {
    apply(index, web("web-1"), web("web-2"));
    remove(index, WEB_1);

    MeshSnapshot after = apply(index, webService(HealthPolicy.ALLOW_ALL));

    assertThat(endpointUids(after, WEB)).containsExactly(WEB_2);
  }

  @Test
  @DisplayName(
      "ST-04 a service sent again with another address keeps its endpoints, not the address")
  void serviceMoves() {
    apply(index, webService(HealthPolicy.ONLY_HEALTHY), web("web-1"));

    MeshSnapshot after =
        apply(index, service("shop", "web.shop.svc.cluster.local", "net-a/10.96.0.2").build());

    assertThat(after.serviceByVip(NET_A, ip("10.96.0.1"), "shop")).isNull();
    assertThat(after.serviceByVip(NET_A, ip("10.96.0.2"), "shop")).isNotNull();
    assertThat(endpointUids(after, WEB)).containsExactly(WEB_1);
  }

  @Test
  @DisplayName("ST-05 a workload sent again without the service is no endpoint any more")
  void workloadLeavesService() {
    apply(index, webService(HealthPolicy.ONLY_HEALTHY), web("web-1"), web("web-2"));

    MeshSnapshot after = apply(index, pod("web-1", "10.0.0.1").build());

    assertThat(endpointUids(after, WEB)).containsExactly(WEB_2);
  }

  @Test
  @DisplayName("ST-05 a workload sent again as unhealthy is withheld, and is back once healthy")
  void workloadBecomesUnhealthy() {
    apply(index, webService(HealthPolicy.ONLY_HEALTHY), web("web-1"), web("web-2"));

    MeshSnapshot sick = apply(index, unhealthy("web-1"));
    assertThat(endpointUids(sick, WEB)).containsExactly(WEB_2);
    assertThat(sick.endpoints(key(WEB)).withheld()).isEqualTo(1);

    MeshSnapshot well = apply(index, web("web-1"));
    assertThat(endpointUids(well, WEB)).containsExactly(WEB_1, WEB_2);
    assertThat(well.endpoints(key(WEB)).withheld()).isZero();
  }

  @Test
  @DisplayName("ST-05 a workload removed and sent in one batch keeps the new mapping")
  void removedAndSentInOneBatch() {
    apply(index, webService(HealthPolicy.ONLY_HEALTHY), web("web-1"));
    Workload changed =
        pod("web-1", "10.0.0.1").services(Map.of(key(WEB), PortMap.of(Map.of(80, 9090)))).build();

    MeshSnapshot after = index.apply(UpdateBatch.changes().put(changed).remove(WEB_1).build());

    Endpoint endpoint = after.endpoints(key(WEB)).of(WEB_1);
    assertThat(endpoint).isNotNull();
    assertThat(endpoint.ports().target(80)).isEqualTo(9090);
    assertThat(after.workload(WEB_1)).isEqualTo(changed);
  }

  @Test
  @DisplayName("ST-06 allowing unhealthy endpoints again does not bring back those left out")
  void healthPolicyIsAppliedOnInsertion() {
    apply(index, webService(HealthPolicy.ALLOW_ALL), web("web-1"), unhealthy("web-2"));
    assertThat(endpointUids(index.current(), WEB)).containsExactly(WEB_1, WEB_2);

    MeshSnapshot strict = apply(index, webService(HealthPolicy.ONLY_HEALTHY));
    assertThat(endpointUids(strict, WEB)).containsExactly(WEB_1);

    MeshSnapshot lenient = apply(index, webService(HealthPolicy.ALLOW_ALL));
    assertThat(endpointUids(lenient, WEB)).containsExactly(WEB_1);

    assertThat(endpointUids(apply(index, unhealthy("web-2")), WEB)).containsExactly(WEB_1, WEB_2);
  }

  @Test
  @DisplayName("B065 removals take effect in every look-up, and unknown names are ignored")
  void removals() {
    Workload external =
        MeshFixture.workload("c1/ServiceEntry/shop/db", NET_A).hostname("db.example.test").build();
    apply(index, webService(HealthPolicy.ONLY_HEALTHY), web("web-1"), external);

    remove(index, WEB_1, external.uid());
    MeshSnapshot after = remove(index, "c1//Pod/shop/never-seen", "shop/unknown.example.test", "x");

    assertThat(after.workload(WEB_1)).isNull();
    assertThat(after.workload(NET_A, ip("10.0.0.1"))).isNull();
    assertThat(after.workload(new WorkloadInfo("web-1", "shop", ""))).isNull();
    assertThat(after.hostname(new NamespacedHostname("shop", "db.example.test"))).isNull();
    assertThat(after.endpoints(key(WEB)).size()).isZero();

    MeshSnapshot empty = remove(index, WEB);
    assertThat(empty.service(key(WEB))).isNull();
    assertThat(empty.serviceByVip(NET_A, ip("10.96.0.1"), "shop")).isNull();
    assertThat(empty.serviceByHostname("web.shop.svc.cluster.local", "shop")).isNull();
    assertThat(empty.workloads()).isEmpty();
    assertThat(empty.services()).isEmpty();
  }

  @Test
  @DisplayName("B065 a service that was removed comes back with its endpoints")
  void serviceRemovedAndBack() {
    apply(index, webService(HealthPolicy.ONLY_HEALTHY), web("web-1"), unhealthy("web-2"));

    MeshSnapshot gone = remove(index, WEB);
    assertThat(endpointUids(gone, WEB)).isEmpty();

    MeshSnapshot back = apply(index, webService(HealthPolicy.ALLOW_ALL));
    assertThat(endpointUids(back, WEB)).containsExactly(WEB_1, WEB_2);
  }

  @Test
  @DisplayName("B085 a service sent without its waypoint has none, and a removed waypoint is gone")
  void waypointIsRemoved() {
    GatewayAddress waypoint = GatewayAddress.parse("shop/wp.shop.svc.cluster.local", 15008);
    Service web = service("shop", "web.shop.svc.cluster.local").waypoint(waypoint).build();
    Service gateway = service("shop", "wp.shop.svc.cluster.local", "net-a/10.96.0.9").build();
    apply(index, web, gateway);
    assertThat(index.current().service(key(WEB))).isEqualTo(web);

    MeshSnapshot direct = apply(index, service("shop", "web.shop.svc.cluster.local").build());
    Service now = direct.service(key(WEB));
    assertThat(now).isNotNull();
    assertThat(now.waypoint()).isNull();

    MeshSnapshot without = remove(index, gateway.resourceName());
    assertThat(without.hostname(gateway.key())).isNull();
    assertThat(without.address(NET_A, ip("10.96.0.9"), "shop")).isNull();
  }

  @Test
  @DisplayName("the list of endpoints is made once and does not depend on the order of arrival")
  void listOfEndpoints() {
    WorkloadIndex other = index();
    apply(index, webService(HealthPolicy.ONLY_HEALTHY), web("web-1"), web("web-2"));
    apply(other, web("web-2"), web("web-1"), webService(HealthPolicy.ONLY_HEALTHY));

    Endpoints endpoints = index.current().endpoints(key(WEB));

    assertThat(endpoints.all()).isSameAs(endpoints.all());
    assertThat(endpoints.all()).isEqualTo(other.current().endpoints(key(WEB)).all());
  }

  private static Service webService(HealthPolicy healthPolicy) {
    return service("shop", "web.shop.svc.cluster.local", "net-a/10.96.0.1")
        .loadBalancing(new LoadBalancing(Mode.UNSPECIFIED, List.of(), healthPolicy))
        .build();
  }

  private static Workload web(String name) {
    return pod(name, "10.0.0." + name.charAt(name.length() - 1)).services(serves(WEB)).build();
  }

  private static Workload unhealthy(String name) {
    return pod(name, "10.0.0." + name.charAt(name.length() - 1))
        .services(serves(WEB))
        .status(HealthStatus.UNHEALTHY)
        .build();
  }
}
