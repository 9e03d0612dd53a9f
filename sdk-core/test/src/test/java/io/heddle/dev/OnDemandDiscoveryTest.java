// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static io.heddle.dev.AdsStream.ADDRESS;
import static io.heddle.dev.AdsStream.names;
import static io.heddle.dev.AdsStream.request;
import static io.heddle.dev.AdsStream.versions;
import static io.heddle.dev.PlaneFixture.POD1;
import static io.heddle.dev.PlaneFixture.POD2;
import static io.heddle.dev.PlaneFixture.SVC;
import static io.heddle.dev.PlaneFixture.WEB;
import static io.heddle.dev.PlaneFixture.twoPods;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Node;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a stream is sent that asks by name (control-plane reference 2.9). */
class OnDemandDiscoveryTest {

  private static final Node NOWHERE = PlaneFixture.node("");

  private static DeltaDiscoveryRequest.Builder onDemand() {
    return request(ADDRESS).addResourceNamesSubscribe("*").addResourceNamesUnsubscribe("*");
  }

  private static DeltaDiscoveryRequest.Builder subscribe(String name) {
    return request(ADDRESS).addResourceNamesSubscribe(name);
  }

  private static AdsStream start(PlaneFixture fixture) throws Exception {
    AdsStream stream = fixture.stream().send(NOWHERE, onDemand());
    DeltaDiscoveryResponse first = stream.nextAcknowledged();
    assertThat(first.getResourcesList()).isEmpty();
    assertThat(first.getNonce()).isNotEmpty();
    return stream;
  }

  @Test
  @DisplayName("CP-39 a reconnect is sent the demanded pod and those of its own node")
  void reconnect() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream stream =
          fixture.stream().send(WEB, onDemand().putInitialResourceVersions("/127.0.0.1", ""));

      assertThat(names(stream.next())).containsExactly(POD1, POD2);
    }
  }

  @Test
  @DisplayName("CP-40 an equal version is answered empty, a stale one with the resource")
  void versionedReconnect() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream before =
          fixture.stream().send(NOWHERE, onDemand().putInitialResourceVersions(POD1, ""));
      Map<String, String> held = versions(before.next());

      AdsStream equal =
          fixture.stream().send(NOWHERE, onDemand().putAllInitialResourceVersions(held));
      DeltaDiscoveryResponse inSync = equal.next();
      assertThat(inSync.getResourcesList()).isEmpty();
      assertThat(inSync.getRemovedResourcesList()).isEmpty();
      AdsStream stale =
          fixture.stream().send(NOWHERE, onDemand().putInitialResourceVersions(POD1, "old"));
      assertThat(names(stale.next())).containsExactly(POD1);
    }
  }

  @Test
  @DisplayName("CP-43 pods of other nodes are not pushed, those of the own node unasked")
  void podsOfTheOwnNode() throws Exception {
    MeshStateBuilder state = MeshState.builder();
    try (PlaneFixture fixture = new PlaneFixture(state.build())) {
      AdsStream stream = fixture.stream().send(WEB, onDemand());
      stream.nextAcknowledged();

      state.workload("app/pod1", "127.0.0.1").node("app/pod1", "elsewhere");
      fixture.plane.publish(state.build());
      stream.assertSilent(ADDRESS);

      state.workload("app/pod2", "127.0.0.2").node("app/pod2", "node-of-web");
      fixture.plane.publish(state.build());
      assertThat(names(stream.next())).containsExactly(POD2);
    }
  }

  @Test
  @DisplayName("CP-44 an unknown address is returned under removed, as it was spelled")
  void unknownAddress() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream stream = start(fixture);

      stream.send(subscribe("net9/127.0.0.77"));

      DeltaDiscoveryResponse unknown = stream.next();
      assertThat(unknown.getResourcesList()).isEmpty();
      assertThat(unknown.getRemovedResourcesList()).containsExactly("net9/127.0.0.77");
    }
  }

  @Test
  @DisplayName("CP-45 a VIP brings the service and all its pods, which name it as alias")
  void vip() throws Exception {
    try (PlaneFixture fixture =
        new PlaneFixture(
            twoPods()
                .service("app/svc", "10.0.0.1", 80, 8080, "app/pod1", "app/pod2")
                .workload("app/pod3", "127.0.0.3")
                .build())) {
      AdsStream stream = start(fixture);

      stream.send(subscribe("/10.0.0.1"));

      DeltaDiscoveryResponse found = stream.next();
      assertThat(names(found)).containsExactly(POD1, POD2, SVC);
      assertThat(found.getRemovedResourcesList()).isEmpty();
      assertThat(found.getResourcesList())
          .filteredOn(resource -> resource.getName().equals(SVC))
          .allSatisfy(service -> assertThat(service.getAliasesList()).containsExactly("/10.0.0.1"));
    }
  }

  @Test
  @DisplayName("CP-46 a new endpoint of a subscribed service is not pushed")
  void newEndpoint() throws Exception {
    MeshStateBuilder state = twoPods();
    try (PlaneFixture fixture = new PlaneFixture(state.build())) {
      AdsStream stream = start(fixture);
      stream.send(subscribe(SVC));
      assertThat(names(stream.nextAcknowledged())).containsExactly(POD1, SVC);

      state
          .workload("app/pod3", "127.0.0.3")
          .service("app/svc", "10.0.0.1", 80, 8080, "app/pod1", "app/pod3");
      fixture.plane.publish(state.build());

      stream.assertSilent(ADDRESS);
    }
  }

  @Test
  @DisplayName("what a demand brought is followed, and its removal is told")
  void implicitSubscription() throws Exception {
    MeshStateBuilder state = twoPods();
    try (PlaneFixture fixture = new PlaneFixture(state.build())) {
      AdsStream stream = start(fixture);
      stream.send(subscribe(SVC));
      stream.nextAcknowledged();

      fixture.plane.publish(state.node("app/pod1", "moved").build());
      assertThat(names(stream.nextAcknowledged())).containsExactly(POD1);
      fixture.plane.publish(state.removeWorkload("app/pod1").build());
      assertThat(stream.nextAcknowledged().getRemovedResourcesList()).containsExactly(POD1);
    }
  }

  @Test
  @DisplayName("asking again for a name gets no answer")
  void askingAgain() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream stream = start(fixture);
      stream.send(subscribe("/127.0.0.77"));
      stream.nextAcknowledged();

      stream.send(subscribe("/127.0.0.77"));

      stream.assertSilent(ADDRESS);
    }
  }

  @Test
  @DisplayName("a name that was not found is pushed once it exists under that very name")
  void foundLater() throws Exception {
    MeshStateBuilder state = MeshState.builder();
    try (PlaneFixture fixture = new PlaneFixture(state.build())) {
      AdsStream stream = start(fixture);
      stream.send(subscribe(POD1));
      assertThat(stream.nextAcknowledged().getRemovedResourcesList()).containsExactly(POD1);
      stream.send(subscribe("/127.0.0.2"));
      stream.nextAcknowledged();

      state.workload("app/pod1", "127.0.0.1").workload("app/pod2", "127.0.0.2");
      fixture.plane.publish(state.build());

      assertThat(names(stream.nextAcknowledged())).containsExactly(POD1);
    }
  }

  @Test
  @DisplayName("unsubscribing alone removes everything that is watched, as istiod does")
  void unsubscribingAlone() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream stream = start(fixture);
      stream.send(subscribe(POD1).addResourceNamesSubscribe(POD2));
      stream.nextAcknowledged();

      stream.send(request(ADDRESS).addResourceNamesUnsubscribe(POD2));

      DeltaDiscoveryResponse response = stream.next();
      assertThat(response.getResourcesList()).isEmpty();
      assertThat(response.getRemovedResourcesList()).containsExactly(POD1);
    }
  }
}
