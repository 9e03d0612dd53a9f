// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static io.heddle.dev.AdsStream.ADDRESS;
import static io.heddle.dev.AdsStream.AUTHORIZATION;
import static io.heddle.dev.AdsStream.names;
import static io.heddle.dev.AdsStream.request;
import static io.heddle.dev.AdsStream.versions;
import static io.heddle.dev.PlaneFixture.POD1;
import static io.heddle.dev.PlaneFixture.POD2;
import static io.heddle.dev.PlaneFixture.POD3;
import static io.heddle.dev.PlaneFixture.SVC;
import static io.heddle.dev.PlaneFixture.WEB;
import static io.heddle.dev.PlaneFixture.twoPods;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.proto.security.Action;
import io.heddle.internal.proto.security.Authorization;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a wildcard stream is sent: the first answer, changes, and what a reconnect resumes. */
class WildcardDiscoveryTest {

  @Test
  @DisplayName("CP-41 a reconnect is sent only what is new, and told what is gone")
  void reconnectResumes() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream before = fixture.stream().send(WEB, request(ADDRESS));
      var held = versions(before.nextAcknowledged());
      before.close();
      fixture.plane.publish(
          twoPods().removeWorkload("app/pod2").workload("app/pod3", "127.0.0.3").build());

      AdsStream after =
          fixture.stream().send(WEB, request(ADDRESS).putAllInitialResourceVersions(held));

      DeltaDiscoveryResponse resumed = after.next();
      assertThat(names(resumed)).containsExactly(POD3);
      assertThat(resumed.getRemovedResourcesList()).containsExactly(POD2);
    }
  }

  @Test
  @DisplayName("CP-42 what a wildcard stream asks for by name is answered whole, and once")
  void namesOnWildcard() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
      stream.nextAcknowledged();

      stream.send(request(ADDRESS).addResourceNamesSubscribe("/127.0.0.1"));
      assertThat(names(stream.nextAcknowledged())).containsExactly(POD1, POD2, SVC);
      stream.send(request(ADDRESS).addResourceNamesSubscribe("/127.0.0.1"));
      stream.send(request(ADDRESS).addResourceNamesUnsubscribe("never/subscribed"));
      stream.assertSilent(ADDRESS);
      stream.send(request(ADDRESS).addResourceNamesUnsubscribe("/127.0.0.1"));
      assertThat(names(stream.nextAcknowledged())).containsExactly(POD1, POD2, SVC);
      stream.send(request(ADDRESS).addResourceNamesSubscribe("app/unknown"));
      assertThat(stream.nextAcknowledged().getRemovedResourcesList())
          .containsExactly("app/unknown");
    }
  }

  @Test
  @DisplayName("CP-47 an empty mesh is answered, later only what changed is pushed")
  void onlyChangesArePushed() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(MeshState.empty())) {
      AdsStream stream =
          fixture.stream().send(WEB, request(ADDRESS).addResourceNamesSubscribe("*"));
      DeltaDiscoveryResponse first = stream.nextAcknowledged();
      assertThat(first.getResourcesList()).isEmpty();
      assertThat(first.getNonce()).isNotEmpty();

      MeshStateBuilder pods =
          MeshState.builder().workload("app/pod1", "127.0.0.1").workload("app/pod2", "127.0.0.2");
      fixture.plane.publish(pods.build());
      assertThat(names(stream.nextAcknowledged())).containsExactly(POD1, POD2);

      pods.service("app/svc", "10.0.0.1", 80, 8080, "app/pod1");
      fixture.plane.publish(pods.build());
      assertThat(names(stream.nextAcknowledged())).containsExactly(POD1, SVC);

      fixture.plane.publish(pods.build());
      stream.assertSilent(ADDRESS);
    }
  }

  @Test
  @DisplayName("CP-48 policies come and go by name, and pods push no policies")
  void policiesByName() throws Exception {
    MeshStateBuilder state = MeshState.builder().workload("app/pod1", "127.0.0.1");
    try (PlaneFixture fixture = new PlaneFixture(state.build())) {
      AdsStream stream =
          fixture.stream().send(WEB, request(AUTHORIZATION).addResourceNamesSubscribe("*"));
      assertThat(stream.nextAcknowledged().getResourcesList()).isEmpty();

      fixture.plane.publish(state.allow("app/one", "app/pod1", "app/web").build());
      DeltaDiscoveryResponse added = stream.nextAcknowledged();
      assertThat(names(added)).containsExactly("app/one");
      assertThat(added.getResources(0).getVersion()).isEmpty();
      fixture.plane.publish(state.deny("app/two", "app/pod1", "app/batch").build());
      assertThat(names(stream.nextAcknowledged())).containsExactly("app/two");
      fixture.plane.publish(state.removePolicy("app/two").build());
      DeltaDiscoveryResponse removed = stream.nextAcknowledged();
      assertThat(removed.getRemovedResourcesList()).containsExactly("app/two");
      assertThat(removed.getResourcesList()).isEmpty();

      fixture.plane.publish(state.workload("app/pod2", "127.0.0.2").build());
      stream.assertSilent(AUTHORIZATION);
    }
  }

  @Test
  @DisplayName("CP-49 STRICT becomes the static policy, which the pods then name")
  void strictNamespace() throws Exception {
    MeshStateBuilder state = MeshState.builder().workload("app/pod1", "127.0.0.1");
    try (PlaneFixture fixture = new PlaneFixture(state.build())) {
      AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
      stream.nextAcknowledged();
      stream.send(request(AUTHORIZATION));
      assertThat(stream.nextAcknowledged().getResourcesList()).isEmpty();

      fixture.plane.publish(state.strict("app").build());

      Address pod = stream.next().getResources(0).getResource().unpack(Address.class);
      assertThat(pod.getWorkload().getAuthorizationPoliciesList())
          .containsExactly("istio-system/istio_converted_static_strict");
      Authorization strict =
          stream.next().getResources(0).getResource().unpack(Authorization.class);
      assertThat(strict.getAction()).isEqualTo(Action.DENY);
      assertThat(strict.getRules(0).getClauses(0).getMatches(0).getNotPrincipals(0).hasPresence())
          .isTrue();
    }
  }

  @Test
  @DisplayName("CP-50 updates and deletions push exactly what is different")
  void exactSets() throws Exception {
    MeshStateBuilder state = twoPods().allow("app/one", "app/pod1", "app/web");
    try (PlaneFixture fixture = new PlaneFixture(state.build())) {
      AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
      stream.nextAcknowledged();
      stream.send(request(AUTHORIZATION));
      stream.nextAcknowledged();

      fixture.plane.publish(
          state
              .removePolicy("app/one")
              .removeService("app/svc")
              .removeWorkload("app/pod2")
              .build());

      DeltaDiscoveryResponse addresses = stream.nextAcknowledged();
      assertThat(names(addresses)).containsExactly(POD1);
      assertThat(addresses.getRemovedResourcesList()).containsExactlyInAnyOrder(POD2, SVC);
      DeltaDiscoveryResponse policies = stream.nextAcknowledged();
      assertThat(names(policies)).isEmpty();
      assertThat(policies.getRemovedResourcesList()).containsExactly("app/one");
    }
  }

  @Test
  @DisplayName("CP-51 unsubscribing a name that was never subscribed is not answered")
  void unknownUnsubscription() throws Exception {
    try (PlaneFixture fixture =
        new PlaneFixture(twoPods().allow("app/one", "app/pod1", "app/web").build())) {
      AdsStream stream = fixture.stream().send(WEB, request(AUTHORIZATION));
      stream.nextAcknowledged();

      stream.send(request(AUTHORIZATION).addResourceNamesUnsubscribe("never/subscribed"));

      stream.assertSilent(AUTHORIZATION);
    }
  }

  @Test
  @DisplayName("CP-52 an old nonce in the first request of a stream is no obstacle")
  void oldNonceOnNewStream() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream before = fixture.stream().send(WEB, request(ADDRESS));
      String old = before.next().getNonce();
      fixture.plane.stop();
      before.end();
      fixture.plane.restart();

      AdsStream after = fixture.stream().send(WEB, request(ADDRESS).setResponseNonce(old));

      assertThat(names(after.next())).containsExactly(POD1, POD2, SVC);
    }
  }

  @Test
  @DisplayName("a stale nonce voids the whole request")
  void staleNonce() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
      String stale = stream.next().getNonce();
      stream.send(request(ADDRESS).addResourceNamesSubscribe(POD1));
      stream.next();

      stream.send(request(ADDRESS).setResponseNonce(stale).addResourceNamesSubscribe(POD2));

      stream.assertSilent(ADDRESS);
    }
  }

  @Test
  @DisplayName("nonces are per type: the nonce of one does not acknowledge the other")
  void noncesArePerType() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
      String ofAddress = stream.next().getNonce();
      stream.send(request(AUTHORIZATION));
      String ofAuthorization = stream.next().getNonce();
      assertThat(ofAuthorization).isNotEqualTo(ofAddress);

      stream.send(
          request(ADDRESS).setResponseNonce(ofAuthorization).addResourceNamesSubscribe(POD1));

      stream.send(request(ADDRESS).addResourceNamesSubscribe("fence"));
      assertThat(names(stream.next())).containsExactly(POD1, POD2, SVC);
      stream.send(request(AUTHORIZATION).addResourceNamesSubscribe("fence/one"));
      assertThat(stream.next().getRemovedResourcesList()).containsExactly("fence/one");
    }
  }

  @Test
  @DisplayName("a rejected resource is not sent again until it changes")
  void rejectedResource() throws Exception {
    MeshStateBuilder state = twoPods();
    try (PlaneFixture fixture = new PlaneFixture(state.build())) {
      AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
      stream.reject(stream.next(), POD1 + ": not to our liking");
      stream.assertSilent(ADDRESS);
      assertThat(fixture.plane.rejections())
          .extracting(Rejection::typeUrl, Rejection::message)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple(ADDRESS, POD1 + ": not to our liking"));

      fixture.plane.publish(state.node("app/pod1", "moved").build());

      assertThat(names(stream.next())).containsExactly(POD1);
    }
  }

  @Test
  @DisplayName("equal versions are skipped, others are sent again")
  void heldVersions() throws Exception {
    try (PlaneFixture fixture = new PlaneFixture(twoPods().build())) {
      AdsStream before = fixture.stream().send(WEB, request(ADDRESS));
      var held = new java.util.HashMap<>(versions(before.next()));
      assertThat(held.values()).allMatch(version -> version.matches("[0-9a-f]{16}"));
      held.put(POD1, "0123456789abcdef");
      held.put(POD2, "");

      AdsStream after =
          fixture.stream().send(WEB, request(ADDRESS).putAllInitialResourceVersions(held));

      assertThat(names(after.next())).containsExactly(POD1, POD2);
    }
  }

  @Test
  @DisplayName("policies are sent whole on a reconnect, and what is gone is told")
  void policiesOnReconnect() throws Exception {
    try (PlaneFixture fixture =
        new PlaneFixture(twoPods().allow("app/one", "app/pod1", "app/web").build())) {
      AdsStream stream =
          fixture.stream()
              .send(
                  WEB,
                  request(AUTHORIZATION)
                      .putInitialResourceVersions("app/one", "")
                      .putInitialResourceVersions("app/gone", ""));

      DeltaDiscoveryResponse response = stream.next();

      assertThat(names(response)).containsExactly("app/one");
      assertThat(response.getRemovedResourcesList()).containsExactly("app/gone");
    }
  }

  @Test
  @DisplayName("a forced push repeats the policies and no address")
  void forcedPush() throws Exception {
    try (PlaneFixture fixture =
        new PlaneFixture(twoPods().allow("app/one", "app/pod1", "app/web").build())) {
      AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
      stream.nextAcknowledged();
      stream.send(request(AUTHORIZATION));
      stream.nextAcknowledged();

      fixture.plane.pushAgain();

      DeltaDiscoveryResponse again = stream.next();
      assertThat(again.getTypeUrl()).isEqualTo(AUTHORIZATION);
      assertThat(List.of("app/one")).isEqualTo(names(again));
    }
  }
}
