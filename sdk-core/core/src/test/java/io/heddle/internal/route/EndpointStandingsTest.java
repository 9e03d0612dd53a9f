// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import static io.heddle.internal.route.Mesh.client;
import static io.heddle.internal.route.Mesh.dialled;
import static io.heddle.internal.route.Mesh.pod;
import static io.heddle.internal.route.Mesh.serves;
import static io.heddle.internal.route.Mesh.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.Authority;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What connections of this process have to say about the choice of an endpoint. */
class EndpointStandingsTest {

  private static final Duration EJECTION = Duration.ofSeconds(10);
  private static final String ONE = "10.0.0.2:15008";
  private static final String TWO = "10.0.0.3:15008";

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private final Workload source = client().build();
  private final Workload one = endpoint("one", "10.0.0.2", 1);
  private final Workload two = endpoint("two", "10.0.0.3", 1);

  private EndpointStandings standings = standings(new Balancing(true, 3, EJECTION, 3));

  @Test
  @DisplayName("the endpoint with the fewest connections is chosen")
  void leastActive() {
    standings.begin(one.uid()).succeeded();

    assertThat(chosen(mesh(one, two))).containsExactly(TWO);
  }

  @Test
  @DisplayName("a connection that ended counts no more")
  void ended() {
    EndpointStandings.Attempt connection = standings.begin(one.uid());
    connection.succeeded();
    connection.ended();

    assertThat(chosen(mesh(one, two))).containsExactly(ONE, TWO);
    assertThat(standings.isBlank()).isTrue();
  }

  @Test
  @DisplayName("connections count by capacity")
  void byCapacity() {
    Workload large = endpoint("large", "10.0.0.3", 4);
    standings.begin(one.uid());
    standings.begin(large.uid());
    standings.begin(large.uid());

    assertThat(chosen(mesh(one, large))).containsExactly(TWO);
  }

  @Test
  @DisplayName("an endpoint without capacity is not chosen, however idle it is")
  void noCapacity() {
    standings.begin(one.uid());

    assertThat(chosen(mesh(one, endpoint("two", "10.0.0.3", 0)))).containsExactly(ONE);
  }

  @Test
  @DisplayName("fewest connections can be switched off")
  void switchedOff() {
    standings = standings(Balancing.LIKE_PEERS);
    standings.begin(one.uid()).succeeded();

    assertThat(chosen(mesh(one, two))).containsExactly(ONE, TWO);
  }

  @Test
  @DisplayName("an endpoint is left out after as many failed dials as configured, for its time")
  void ejection() {
    fail(one, 2);
    assertThat(chosen(mesh(one, two))).containsExactly(ONE, TWO);

    fail(one, 1);
    assertThat(standings.ejected()).isEqualTo(1);
    assertThat(chosen(mesh(one, two))).containsExactly(TWO);

    clock.addAndGet(EJECTION.toNanos());
    assertThat(standings.ejected()).isZero();
    assertThat(chosen(mesh(one, two))).containsExactly(ONE, TWO);
  }

  @Test
  @DisplayName("an endpoint that fails again after its time is left out for twice as long")
  void doubled() {
    fail(one, 3);
    clock.addAndGet(EJECTION.toNanos());
    fail(one, 1);

    clock.addAndGet(EJECTION.toNanos());
    assertThat(chosen(mesh(one, two))).containsExactly(TWO);

    clock.addAndGet(EJECTION.toNanos());
    assertThat(chosen(mesh(one, two))).containsExactly(ONE, TWO);
  }

  @Test
  @DisplayName("a dial that succeeds clears the record")
  void cleared() {
    fail(one, 2);
    EndpointStandings.Attempt good = standings.begin(one.uid());
    good.succeeded();
    good.ended();
    fail(one, 2);

    assertThat(standings.ejected()).isZero();
  }

  @Test
  @DisplayName("when all endpoints are left out, all are tried")
  void allEjected() {
    fail(one, 3);
    fail(two, 3);

    assertThat(chosen(mesh(one, two))).containsExactly(ONE, TWO);
  }

  @Test
  @DisplayName("ejection can be switched off")
  void noEjection() {
    standings = standings(new Balancing(true, 0, EJECTION, 3));

    fail(one, 100);

    assertThat(standings.ejected()).isZero();
  }

  @Test
  @DisplayName("an endpoint that has just failed is avoided while there is another")
  void avoided() {
    MeshSnapshot mesh = mesh(one, two);
    Router router = new Router(RouteSettings.of(""), standings);

    assertThat(dialled(router.route(request(mesh, 1).avoiding(Set.of(one.uid()))))).isEqualTo(TWO);
    assertThat(dialled(router.route(request(mesh, 1).avoiding(Set.of(one.uid(), two.uid())))))
        .isIn(ONE, TWO);
  }

  private EndpointStandings standings(Balancing balancing) {
    return new EndpointStandings(balancing, clock::get);
  }

  private void fail(Workload workload, int times) {
    for (int i = 0; i < times; i++) {
      standings.begin(workload.uid()).unreachable();
    }
  }

  private static Workload endpoint(String name, String address, long capacity) {
    return pod(name, address).services(serves("example.com")).capacity(capacity).build();
  }

  private MeshSnapshot mesh(Workload... endpoints) {
    UpdateBatch.Builder batch = UpdateBatch.changes().put(source).put(service("10.96.0.1").build());
    for (Workload endpoint : endpoints) {
      batch.put(endpoint);
    }
    return new WorkloadIndex("", UnknownPolicies.REFUSE).apply(batch.build());
  }

  private Set<String> chosen(MeshSnapshot mesh) {
    Router router = new Router(RouteSettings.of(""), standings);
    Set<String> dialled = new TreeSet<>();
    for (int seed = 0; seed < 100; seed++) {
      dialled.add(dialled(router.route(request(mesh, seed))));
    }
    return dialled;
  }

  private RouteRequest request(MeshSnapshot mesh, int seed) {
    return new RouteRequest(
        mesh,
        source,
        Authority.parse("10.96.0.1:80"),
        StandardProtocolFamily.INET,
        new Random(seed * 7919L));
  }
}
