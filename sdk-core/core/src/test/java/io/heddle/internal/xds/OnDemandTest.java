// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.state.NamespacedHostname;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OnDemandTest extends AdsFixture {

  private static final Duration LONG = Duration.ofSeconds(30);

  @BeforeEach
  void onDemand() {
    use(builder().onDemand());
  }

  private static DemandOutcome outcome(CompletableFuture<DemandOutcome> demand) {
    assertThat(demand).succeedsWithin(10, TimeUnit.SECONDS);
    return demand.join();
  }

  @Test
  @DisplayName(
      "CP-02 addresses: subscribed to nothing, by sub and unsub of everything; policies: all")
  void firstRequests() {
    Opening opening = open();

    assertThat(opening.addresses().getResourceNamesSubscribeList()).containsExactly("*");
    assertThat(opening.addresses().getResourceNamesUnsubscribeList()).containsExactly("*");
    assertThat(opening.policies().getResourceNamesSubscribeList()).isEmpty();
    assertThat(opening.policies().getResourceNamesUnsubscribeList()).isEmpty();
  }

  @Test
  @DisplayName("B073 policies are subscribed to as a whole, and readiness waits for them alone")
  void policiesAreNeverOnDemand() {
    Opening opening = open();

    exchange(
        opening.stream(),
        Responses.policies(
            Responses.resource(
                Responses.policy("everywhere")
                    .setNamespace("")
                    .setScope(io.heddle.internal.proto.security.Scope.GLOBAL))));

    assertThat(client.ready()).succeedsWithin(10, TimeUnit.SECONDS);
    assertThat(known().policies().policies()).containsOnlyKeys("/everywhere");
  }

  @Test
  @DisplayName("CP-03 a demand is answered when the index shows the resource")
  void wakesAfterTheStateIsUpdated() {
    ScriptedControlPlane.Stream stream = open().stream();
    CompletableFuture<Boolean> seen =
        client
            .demand(Responses.uid("a"), LONG)
            .thenApply(outcome -> known().workload(Responses.uid("a")) != null);
    DeltaDiscoveryRequest request = stream.next(ResourceType.ADDRESS);
    assertThat(request.getResourceNamesSubscribeList()).containsExactly(Responses.uid("a"));
    assertThat(request.getResourceNamesUnsubscribeList()).isEmpty();
    assertThat(request.getResponseNonce()).isEmpty();

    exchange(stream, Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "1")));

    assertThat(seen).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(true);
  }

  @Test
  @DisplayName("XDS-03 all who wait for a name wake, also when it is answered as removed")
  void removedWakesToo() {
    ScriptedControlPlane.Stream stream = open().stream();
    List<CompletableFuture<DemandOutcome>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiters.add(client.demand("/10.0.0.99", LONG));
    }
    assertThat(stream.next().getResourceNamesSubscribeList()).containsExactly("/10.0.0.99");

    exchange(stream, Responses.removal(ResourceType.ADDRESS, "/10.0.0.99"));

    assertThat(waiters).allSatisfy(w -> assertThat(outcome(w)).isEqualTo(DemandOutcome.ABSENT));
  }

  @Test
  @DisplayName("CP-44 an unknown name is not asked for twice in one stream: nobody would answer")
  void absenceIsRemembered() {
    ScriptedControlPlane.Stream stream = open().stream();
    CompletableFuture<DemandOutcome> first = client.demand("/10.0.0.99", LONG);
    stream.next();
    exchange(stream, Responses.removal(ResourceType.ADDRESS, "/10.0.0.99"));
    assertThat(outcome(first)).isEqualTo(DemandOutcome.ABSENT);

    assertThat(outcome(client.demand("/10.0.0.99", LONG))).isEqualTo(DemandOutcome.ABSENT);

    assertThat(stream.unread()).isZero();
  }

  @Test
  @DisplayName(
      "CP-45 a demand by virtual address is answered by the service that names it as alias")
  void aliasIsResolved() {
    ScriptedControlPlane.Stream stream = open().stream();
    CompletableFuture<DemandOutcome> demand = client.demand("/10.96.0.1", LONG);
    stream.next();

    exchange(
        stream,
        Responses.addresses(
            Responses.resource(Responses.web(), "1").toBuilder().addAliases("/10.96.0.1").build(),
            Responses.resource(Responses.webPod("a", "10.0.0.5"), "1")));

    assertThat(outcome(demand)).isEqualTo(DemandOutcome.FOUND);
    assertThat(known().endpoints(NamespacedHostname.parse(Responses.WEB)).size()).isEqualTo(1);
    assertThat(outcome(client.demand("/10.96.0.1", LONG))).isEqualTo(DemandOutcome.FOUND);
    assertThat(stream.unread()).as("asked once").isZero();
  }

  @Test
  @DisplayName("CP-43 what is pushed unasked is taken")
  void unaskedIsTaken() {
    ScriptedControlPlane.Stream stream = open().stream();

    exchange(
        stream, Responses.addresses(Responses.resource(Responses.pod("mine", "10.0.0.5"), "1")));

    assertThat(known().workload(Responses.uid("mine"))).isNotNull();
  }

  @Test
  @DisplayName("CP-39 a reconnect lists what is held, and what is not answered without a version")
  void reconnectListsPendingDemands() {
    Opening first = open();
    exchange(
        first.stream(),
        Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "7")));
    CompletableFuture<DemandOutcome> pending = client.demand("/127.0.0.1", LONG);
    first.stream().next();
    first.stream().end(Status.UNAVAILABLE);

    Opening second = opening();

    assertThat(second.addresses().getInitialResourceVersionsMap())
        .isEqualTo(Map.of(Responses.uid("a"), "7", "/127.0.0.1", ""));
    assertThat(second.addresses().getResourceNamesSubscribeList()).containsExactly("*");
    exchange(second.stream(), Responses.removal(ResourceType.ADDRESS, "/127.0.0.1"));
    assertThat(outcome(pending)).isEqualTo(DemandOutcome.ABSENT);
  }

  @Test
  @DisplayName("CP-06 ten thousand demands among pushes: every waiter sees its resource")
  void cacheCoherency() {
    int count = 10_000;
    ScriptedControlPlane.Stream stream = open().stream();
    List<CompletableFuture<Boolean>> seen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String uid = Responses.uid("w" + i);
      seen.add(
          client
              .demand(uid, Duration.ofMinutes(2))
              .thenApply(
                  outcome -> outcome == DemandOutcome.FOUND && known().workload(uid) != null));
    }
    answerAll(stream, count);

    assertThat(seen)
        .allSatisfy(
            demand -> assertThat(demand).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(true));
  }

  private static void answerAll(ScriptedControlPlane.Stream stream, int count) {
    Set<String> answered = new HashSet<>();
    while (answered.size() < count) {
      DeltaDiscoveryRequest request = stream.next();
      if (request.getResourceNamesSubscribeCount() == 0) {
        continue;
      }
      var response = Responses.response(ResourceType.ADDRESS);
      for (String uid : request.getResourceNamesSubscribeList()) {
        answered.add(uid);
        String name = uid.substring(uid.lastIndexOf('/') + 1);
        int number = Integer.parseInt(name.substring(1));
        response.addResources(
            Responses.resource(
                Responses.pod(name, "10.1." + number / 256 + "." + number % 256), "1"));
      }
      stream.send(response.build());
      stream.send(
          Responses.addresses(Responses.resource(Responses.pod("pushed", "10.2.0.1"), "1")));
    }
  }

  @Test
  @DisplayName("a demand that nobody answers ends in time")
  void demandTimesOut() {
    open();

    assertThat(outcome(client.demand("/10.0.0.1", Duration.ofMillis(20))))
        .isEqualTo(DemandOutcome.TIMED_OUT);
  }

  @Test
  @DisplayName("what waits when the client is closed is told")
  void closedWhileWaiting() {
    ScriptedControlPlane.Stream stream = open().stream();
    CompletableFuture<DemandOutcome> demand = client.demand("/10.0.0.1", LONG);
    stream.next();

    client.close();

    assertThat(outcome(demand)).isEqualTo(DemandOutcome.CLOSED);
    assertThat(outcome(client.demand("/10.0.0.2", LONG))).isEqualTo(DemandOutcome.CLOSED);
  }
}
