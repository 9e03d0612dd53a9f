// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import static io.heddle.internal.state.MeshFixture.NET_A;
import static io.heddle.internal.state.MeshFixture.apply;
import static io.heddle.internal.state.MeshFixture.endpointUids;
import static io.heddle.internal.state.MeshFixture.index;
import static io.heddle.internal.state.MeshFixture.ip;
import static io.heddle.internal.state.MeshFixture.pod;
import static io.heddle.internal.state.MeshFixture.serves;
import static io.heddle.internal.state.MeshFixture.service;
import static io.heddle.internal.state.MeshFixture.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.policy.Action;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.ConnectionAttributes;
import io.heddle.internal.policy.Rule;
import io.heddle.internal.policy.Scope;
import io.heddle.internal.testing.FakeScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadIndexTest {

  private static final String WEB = "shop/web.shop.svc.cluster.local";
  private static final WorkloadInfo OWN = new WorkloadInfo("web-1", "shop", "web");
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final WorkloadIndex index = index();
  private final FakeScheduler scheduler = new FakeScheduler();

  @Test
  @DisplayName("ST-01 the own workload that is known is returned at once")
  void ownWorkloadPresent() {
    Workload own = pod("web-1", "10.0.0.5").serviceAccount("web").build();
    apply(index, own, workload("impostor", NET_A, "10.0.0.5").name("web-1").build());

    assertThat(index.await(OWN, PATIENCE, scheduler)).isCompletedWithValue(own);
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  @DisplayName("ST-01 the own workload that never arrives is an error after five seconds")
  void ownWorkloadAbsent() {
    CompletableFuture<Workload> own = index.await(OWN, PATIENCE, scheduler);
    apply(index, pod("web-1", "10.0.0.5").serviceAccount("another").build());

    scheduler.advance(PATIENCE.minusMillis(1));
    assertThat(own).isNotDone();
    scheduler.advance(Duration.ofMillis(1));

    assertThat(own).isCompletedExceptionally();
    assertThatThrownBy(own::join)
        .hasCauseInstanceOf(UnknownWorkloadException.class)
        .hasMessageContaining("shop/web-1/web")
        .hasMessageContaining("5000 ms");
  }

  @Test
  @DisplayName("ST-01 the own workload that arrives late is returned when it does")
  void ownWorkloadLate() {
    CompletableFuture<Workload> awaited = index.await(OWN, PATIENCE, scheduler);
    scheduler.advance(Duration.ofSeconds(4));
    assertThat(awaited).isNotDone();
    Workload own = pod("web-1", "10.0.0.5").serviceAccount("web").build();

    apply(index, own);

    assertThat(awaited).isCompletedWithValue(own);
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  @DisplayName("ST-11 a batch of 50 workloads for one service is one publication")
  void batchIsOnePublication() {
    List<Integer> sizes = new ArrayList<>();
    apply(index, service("shop", "web.shop.svc.cluster.local", "net-a/10.96.0.1").build());
    index.onPublish((former, next) -> sizes.add(next.endpoints(MeshFixture.key(WEB)).size()));
    UpdateBatch.Builder batch = UpdateBatch.changes();
    for (int i = 0; i < 50; i++) {
      batch.put(pod("web-" + i, "10.0.0." + i).services(serves(WEB)).build());
    }

    MeshSnapshot after = index.apply(batch.build());

    assertThat(sizes).containsExactly(50);
    assertThat(after.version()).isEqualTo(2);
  }

  @Test
  @DisplayName("ST-11 a malformed resource is rejected alone, and its last good version stays")
  void malformedResource() {
    apply(index, pod("web-0", "10.0.0.100").build());
    UpdateBatch.Builder batch = UpdateBatch.changes();
    for (int i = 0; i < 50; i++) {
      int port = i == 0 ? 70_000 : 8080;
      String name = "web-" + i;
      batch.put(
          "c1//Pod/shop/" + name,
          () ->
              pod(name, "10.0.0.1")
                  .services(Map.of(MeshFixture.key(WEB), PortMap.of(Map.of(80, port))))
                  .build());
    }
    UpdateBatch built = batch.build();

    MeshSnapshot after = index.apply(built);

    assertThat(built.rejections())
        .containsExactly(
            new UpdateBatch.Rejection(
                "c1//Pod/shop/web-0", "target port 70000 (expected: 0 to 65535)"));
    assertThat(after.workloads()).hasSize(50);
    assertThat(after.workload(NET_A, ip("10.0.0.100"))).isNotNull();
  }

  @Test
  @DisplayName("B078 a rejected update leaves the good version in force, and a later one heals it")
  void rejectedUpdate() {
    apply(index, service("shop", "web.shop.svc.cluster.local").build());
    putWeb(8080);

    UpdateBatch broken = putWeb(70_000);
    assertThat(broken.rejections()).hasSize(1);
    assertThat(targetPort()).isEqualTo(8080);

    assertThat(putWeb(9090).rejections()).isEmpty();
    assertThat(targetPort()).isEqualTo(9090);
  }

  @DisplayName("ST-12 only addresses of 4 and 16 bytes are accepted")
  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {0, 3, 4, 5, 15, 16, 17})
  void addressBytes(int length) {
    byte[] bytes = new byte[length];
    if (length == 4 || length == 16) {
      assertThat(NetworkAddress.ofBytes(NET_A, bytes).address().getAddress()).isEqualTo(bytes);
    } else {
      assertThatThrownBy(() -> NetworkAddress.ofBytes(NET_A, bytes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(length + " bytes (4 or 16)");
    }
  }

  @Test
  @DisplayName("ST-13 a policy sent again with another scope has the new one only")
  void policyChangesScope() {
    Workload selected = pod("selected").authorizationPolicies(List.of("shop/p")).build();
    Workload neighbour = pod("neighbour").build();
    Workload stranger = pod("stranger").namespace("pay").build();
    apply(index, selected, neighbour, stranger);

    putPolicy(Scope.NAMESPACE);
    assertThat(List.of(selected, neighbour, stranger))
        .filteredOn(this::refuses)
        .containsExactly(selected, neighbour);

    putPolicy(Scope.WORKLOAD_SELECTOR);
    assertThat(List.of(selected, neighbour, stranger))
        .filteredOn(this::refuses)
        .containsExactly(selected);

    putPolicy(Scope.GLOBAL);
    assertThat(List.of(selected, neighbour, stranger))
        .filteredOn(this::refuses)
        .containsExactly(selected, neighbour, stranger);

    index.apply(UpdateBatch.changes().removePolicy("shop/p").build());
    assertThat(List.of(selected, neighbour, stranger)).noneMatch(this::refuses);
  }

  @Test
  @DisplayName("B095 a policy that changes its scope under another name leaves no trace of the old")
  void policyChangesScopeAndName() {
    Workload selected = pod("selected").authorizationPolicies(List.of("shop/p")).build();
    Workload neighbour = pod("neighbour").build();
    Workload stranger = pod("stranger").namespace("pay").build();
    apply(index, selected, neighbour, stranger);
    putPolicy(Scope.NAMESPACE);

    // Global policies carry no namespace, so the resource has another name; one answer does both.
    AuthorizationPolicy global =
        new AuthorizationPolicy(
            "", "p", Scope.GLOBAL, Action.DENY, false, List.of(new Rule(List.of())));
    index.apply(UpdateBatch.changes().putPolicy("/p", global).removePolicy("shop/p").build());
    assertThat(List.of(selected, neighbour, stranger))
        .filteredOn(this::refuses)
        .containsExactly(selected, neighbour, stranger);

    index.apply(UpdateBatch.changes().removePolicy("/p").build());
    assertThat(List.of(selected, neighbour, stranger)).noneMatch(this::refuses);
    assertThat(index.current().policies().policies()).isEmpty();
  }

  @Test
  @DisplayName("readers see all of a batch or nothing of it")
  void consistentSnapshots() throws Exception {
    int rounds = 2_000;
    AtomicBoolean done = new AtomicBoolean();
    Callable<Integer> reader =
        () -> {
          int seen = 0;
          while (!done.get()) {
            MeshSnapshot snapshot = index.current();
            Workload web = snapshot.workload("c1//Pod/shop/web-1");
            if (web != null) {
              seen++;
              Service service = snapshot.service(MeshFixture.key(WEB));
              Endpoint endpoint = snapshot.endpoints(MeshFixture.key(WEB)).of(web.uid());
              assertThat(service).isNotNull();
              assertThat(service.name()).isEqualTo(web.node());
              assertThat(endpoint).isNotNull();
              assertThat(endpoint.workload()).isSameAs(web);
              assertThat(snapshot.policies().policies()).containsOnlyKeys("shop/" + web.node());
            }
          }
          return seen;
        };
    ExecutorService readers = Executors.newFixedThreadPool(2);
    try {
      List<Future<Integer>> running = List.of(readers.submit(reader), readers.submit(reader));
      for (int i = 0; i < rounds; i++) {
        index.apply(numbered(i));
      }
      done.set(true);
      for (Future<Integer> result : running) {
        // Had it found a torn snapshot, this would throw.
        assertThat(result.get(60, TimeUnit.SECONDS)).isNotNegative();
      }
    } finally {
      done.set(true);
      readers.shutdownNow();
    }
    assertThat(index.current().version()).isEqualTo(rounds);
  }

  /** A batch whose parts all carry the same number. */
  private static UpdateBatch numbered(int i) {
    String number = String.valueOf(i);
    return UpdateBatch.replacement()
        .put(Service.builder(number, "shop", "web.shop.svc.cluster.local").build())
        .put(pod("web-1", "10.0.0.1").node(number).services(serves(WEB)).build())
        .putPolicy(
            "shop/" + number,
            new AuthorizationPolicy("shop", number, Scope.NAMESPACE, Action.DENY, false, List.of()))
        .build();
  }

  @Test
  @DisplayName("a batch without policies keeps the very set, and what was compiled with it")
  void policySetIsKept() {
    putPolicy(Scope.NAMESPACE);
    MeshSnapshot before = index.current();

    MeshSnapshot after = apply(index, pod("web-1", "10.0.0.1").build());

    assertThat(after.policies()).isSameAs(before.policies());
  }

  @Test
  @DisplayName("a replacement leaves nothing of what was known, in one publication")
  void replacement() {
    apply(index, pod("web-1", "10.0.0.1").services(serves(WEB)).build());
    putPolicy(Scope.GLOBAL);
    Service web = service("shop", "web.shop.svc.cluster.local", "net-a/10.96.0.1").build();

    MeshSnapshot after =
        index.apply(
            UpdateBatch.replacement()
                .put(web)
                .put(pod("web-2", "10.0.0.2").services(serves(WEB)).build())
                .build());

    assertThat(endpointUids(after, WEB)).containsExactly("c1//Pod/shop/web-2");
    assertThat(after.workload(NET_A, ip("10.0.0.1"))).isNull();
    assertThat(after.policies().policies()).isEmpty();
    assertThat(after.version()).isEqualTo(3);
  }

  @Test
  @DisplayName("of a resource sent twice in one batch the last one counts")
  void lastOneWins() {
    MeshSnapshot after =
        apply(index, pod("x", "10.0.0.7").build(), pod("x", "10.0.0.8").capacity(3).build());

    assertThat(after.workload(NET_A, ip("10.0.0.7"))).isNull();
    assertThat(after.workload(NET_A, ip("10.0.0.8"))).isNotNull();
  }

  @Test
  @DisplayName("an empty batch publishes nothing")
  void emptyBatch() {
    MeshSnapshot before = index.current();

    assertThat(index.apply(UpdateBatch.changes().build())).isSameAs(before);
    assertThat(before.version()).isZero();
  }

  @Test
  @DisplayName("a listener that fails keeps no other from hearing, and a closed one hears nothing")
  void listeners() {
    List<Long> heard = new ArrayList<>();
    index.onPublish(
        (former, next) -> {
          throw new IllegalStateException("a listener's fault, on purpose");
        });
    WorkloadIndex.Registration registration =
        index.onPublish((former, next) -> heard.add(next.version()));

    apply(index, pod("a").build());
    registration.close();
    apply(index, pod("b").build());

    assertThat(heard).containsExactly(1L);
  }

  private UpdateBatch putWeb(int port) {
    UpdateBatch batch =
        UpdateBatch.changes()
            .put(
                "c1//Pod/shop/web-1",
                () ->
                    pod("web-1", "10.0.0.1")
                        .services(Map.of(MeshFixture.key(WEB), PortMap.of(Map.of(80, port))))
                        .build())
            .build();
    index.apply(batch);
    return batch;
  }

  private int targetPort() {
    return index.current().endpoints(MeshFixture.key(WEB)).all().get(0).ports().target(80);
  }

  private MeshSnapshot putPolicy(Scope scope) {
    AuthorizationPolicy policy =
        new AuthorizationPolicy(
            "shop", "p", scope, Action.DENY, false, List.of(new Rule(List.of())));
    return index.apply(UpdateBatch.changes().putPolicy("shop/p", policy).build());
  }

  private boolean refuses(Workload destination) {
    return !index
        .current()
        .policies()
        .forDestination(destination.namespace(), destination.authorizationPolicies())
        .evaluate(new ConnectionAttributes(ip("10.0.0.1"), null, ip("10.0.0.2"), 8080))
        .isAllowed();
  }
}
