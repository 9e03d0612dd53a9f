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
import static io.heddle.internal.state.MeshFixture.ranges;
import static io.heddle.internal.state.MeshFixture.remove;
import static io.heddle.internal.state.MeshFixture.serves;
import static io.heddle.internal.state.MeshFixture.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.testing.FakeScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an index must do with what a control plane sends (control-plane reference 10). */
class ControlPlaneReferenceTest {

  private static final String WEB = "shop/web.shop.svc.cluster.local";

  private final WorkloadIndex index = index();

  @DisplayName("CP-07 a service and its workloads in one batch")
  @ParameterizedTest(name = "CP-07 the service at place {0} among 20 workloads: one publication")
  @ValueSource(ints = {0, 10, 20})
  void batchInAnyOrder(int placeOfService) {
    List<Integer> published = new ArrayList<>();
    index.onPublish((former, next) -> published.add(next.endpoints(key(WEB)).size()));
    UpdateBatch.Builder batch = UpdateBatch.changes();
    for (int i = 0; i <= 20; i++) {
      batch.put(
          i == placeOfService
              ? service("shop", "web.shop.svc.cluster.local", "net-a/10.96.0.1").build()
              : pod("web-" + i, "10.0.0." + i).services(serves(WEB)).build());
    }

    index.apply(batch.build());

    assertThat(published).containsExactly(20);
  }

  @Test
  @DisplayName("CP-08 an unhealthy workload of a batch is no endpoint, but a workload")
  void unhealthyInBatch() {
    MeshSnapshot after =
        apply(
            index,
            pod("sick", "10.0.0.2").services(serves(WEB)).status(HealthStatus.UNHEALTHY).build(),
            service("shop", "web.shop.svc.cluster.local").build(),
            pod("well", "10.0.0.1").services(serves(WEB)).build());

    assertThat(endpointUids(after, WEB)).containsExactly("c1//Pod/shop/well");
    assertThat(after.workload(NET_A, ip("10.0.0.2"))).isNotNull();
  }

  @Test
  @DisplayName("CP-10 the endpoint of a removed workload is gone from its service")
  void removalDropsEndpoint() {
    apply(
        index,
        service("shop", "web.shop.svc.cluster.local").build(),
        pod("web-1", "10.0.0.1").services(serves(WEB)).build(),
        pod("web-2", "10.0.0.2").services(serves(WEB)).build());

    MeshSnapshot after = remove(index, "c1//Pod/shop/web-1");

    assertThat(endpointUids(after, WEB)).containsExactly("c1//Pod/shop/web-2");
  }

  @Test
  @DisplayName("CP-11 a workload removed before its service arrives leaves no endpoint behind")
  void noGhostEndpoint() {
    apply(index, pod("web-1", "10.0.0.1").services(serves(WEB)).build());
    remove(index, "c1//Pod/shop/web-1");

    MeshSnapshot after = apply(index, service("shop", "web.shop.svc.cluster.local").build());

    assertThat(after.endpoints(key(WEB)).size()).isZero();
  }

  @Test
  @DisplayName("CP-12 of two workloads at one address the other is found when one is removed")
  void overlappingAddress() {
    Workload other = pod("web-2", "10.0.0.1").build();
    apply(index, pod("web-1", "10.0.0.1").build(), other);

    MeshSnapshot after = remove(index, "c1//Pod/shop/web-1");

    assertThat(after.workload(NET_A, ip("10.0.0.1"))).isSameAs(other);
  }

  @Test
  @DisplayName("CP-16 an exact address goes before the own range, and that before a longer prefix")
  void addressPriorities() {
    Service wide =
        service("own", "wide.example.test").cidrVips(ranges(NET_A, "203.0.0.0/16")).build();
    Service narrow =
        service("other", "narrow.example.test").cidrVips(ranges(NET_A, "203.0.113.0/24")).build();
    Service exact = service("other", "exact.example.test", "net-a/203.0.113.7").build();

    MeshSnapshot after = apply(index, wide, narrow, exact);

    assertThat(after.serviceByVip(NET_A, ip("203.0.113.7"), "own")).isSameAs(exact);
    assertThat(after.serviceByVip(NET_A, ip("203.0.113.8"), "own")).isSameAs(wide);
    assertThat(after.serviceByVip(NET_A, ip("203.0.113.8"), "third")).isSameAs(narrow);
  }

  @Test
  @DisplayName("CP-17 a service that only its namespace sees leaves others to the range")
  void namespaceVisibility() {
    Service hidden =
        service("infra", "x.example.test", "net-a/203.0.113.7")
            .visibility(Visibility.NAMESPACE)
            .build();
    Service range =
        service("pub", "range.example.test").cidrVips(ranges(NET_A, "203.0.113.0/24")).build();

    MeshSnapshot after = apply(index, hidden, range);

    assertThat(after.serviceByVip(NET_A, ip("203.0.113.7"), "infra")).isSameAs(hidden);
    assertThat(after.serviceByVip(NET_A, ip("203.0.113.7"), "shop")).isSameAs(range);
    assertThat(after.serviceByHostname("x.example.test", "shop")).isNull();
  }

  @Test
  @DisplayName("CP-20 a wait for a workload ends when it arrives, or after its time")
  void waitForWorkload() {
    FakeScheduler scheduler = new FakeScheduler();
    Duration patience = Duration.ofSeconds(5);
    CompletableFuture<Workload> late =
        index.await(new WorkloadInfo("web-1", "shop", "web"), patience, scheduler);
    CompletableFuture<Workload> never =
        index.await(new WorkloadInfo("web-2", "shop", "web"), patience, scheduler);

    apply(index, pod("web-1", "10.0.0.1").clusterId("c1").serviceAccount("web").build());
    assertThat(late).isCompleted();
    assertThat(never).isNotDone();

    scheduler.advance(patience);
    assertThat(never).isCompletedExceptionally();
  }

  @Test
  @DisplayName("a pod that is sent twice in one batch is one endpoint, also as the same object")
  void sentTwice() {
    Workload web = pod("web-1", "10.0.0.1").services(serves(WEB)).build();
    Service service = service("shop", "web.shop.svc.cluster.local").build();

    assertThat(endpointUids(apply(index, service, web, web), WEB)).hasSize(1);
    assertThat(endpointUids(apply(index, web), WEB)).hasSize(1);
    Workload again = pod("web-1", "10.0.0.2").services(serves(WEB)).build();
    assertThat(apply(index, web, again, service).endpoints(key(WEB)).all())
        .extracting(Endpoint::workload)
        .containsExactly(again);
  }
}
