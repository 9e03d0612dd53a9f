// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.Workload;
import io.heddle.internal.proto.workload.WorkloadStatus;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.Resource;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.testing.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a response does to the state, and how it is answered. */
class ResponseTest extends AdsFixture {

  private static final NamespacedHostname WEB = NamespacedHostname.parse(Responses.WEB);

  private ScriptedControlPlane.Stream stream;

  @BeforeEach
  void openStream() {
    stream = openSynced();
  }

  private java.net.InetAddress ip(String text) {
    return Objects.requireNonNull(io.heddle.internal.net.IpAddresses.parse(text));
  }

  @ParameterizedTest(
      name = "CP-07 a service in position {0} of six: all endpoints, one publication")
  @ValueSource(ints = {0, 3, 5})
  void orderInsideAResponseDoesNotMatter(int position) {
    AtomicInteger publications = new AtomicInteger();
    List<Resource> resources = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      resources.add(Responses.resource(Responses.webPod("w" + i, "10.0.1." + i), "1"));
    }
    resources.add(position, Responses.resource(Responses.web(), "1"));

    try (WorkloadIndex.Registration unused =
        index.onPublish((former, next) -> publications.incrementAndGet())) {
      exchange(stream, Responses.addresses(resources.toArray(Resource[]::new)));
    }

    assertThat(known().endpoints(WEB).size()).isEqualTo(5);
    assertThat(publications).hasValue(1);
  }

  @Test
  @DisplayName("CP-08 an unhealthy workload is no endpoint, but a workload")
  void unhealthyIsNoEndpoint() {
    exchange(
        stream,
        Responses.addresses(
            Responses.resource(Responses.web(), "1"),
            Responses.resource(
                Responses.webPod("sick", "10.0.0.5").setStatus(WorkloadStatus.UNHEALTHY), "1")));

    assertThat(known().endpoints(WEB).size()).isZero();
    assertThat(known().workload(Responses.uid("sick"))).isNotNull();
  }

  @Test
  @DisplayName("CP-09 one undecodable workload: the rest is applied, the rejection names that one")
  void partialFailure() {
    DeltaDiscoveryRequest answer =
        exchange(
            stream,
            Responses.addresses(
                Responses.resource(Responses.pod("a", "10.0.0.5"), "1"),
                Responses.resource(
                    Responses.pod("bad", "10.0.0.6")
                        .addAddresses(com.google.protobuf.ByteString.copyFrom(new byte[3])),
                    "1"),
                Responses.resource(Responses.pod("b", "10.0.0.7"), "1")));

    assertThat(known().workloads()).extracting(w -> w.name()).containsExactlyInAnyOrder("a", "b");
    assertThat(answer.getErrorDetail().getMessage())
        .startsWith(Responses.uid("bad") + ": ")
        .contains("3 bytes");
    assertThat(answer.getResourceNamesSubscribeList()).isEmpty();
  }

  @Test
  @DisplayName("CP-10 a removed workload is an endpoint no more")
  void removedWorkloadIsNoEndpoint() {
    exchange(
        stream,
        Responses.addresses(
            Responses.resource(Responses.web(), "1"),
            Responses.resource(Responses.webPod("a", "10.0.0.5"), "1")));

    exchange(stream, Responses.removal(ResourceType.ADDRESS, Responses.uid("a")));

    assertThat(known().endpoints(WEB).size()).isZero();
  }

  @Test
  @DisplayName("CP-11 a workload that is gone when its service comes leaves no endpoint behind")
  void noGhostEndpoint() {
    exchange(
        stream, Responses.addresses(Responses.resource(Responses.webPod("a", "10.0.0.5"), "1")));
    exchange(stream, Responses.removal(ResourceType.ADDRESS, Responses.uid("a")));

    exchange(stream, Responses.addresses(Responses.resource(Responses.web(), "1")));

    assertThat(known().service(WEB)).isNotNull();
    assertThat(known().endpoints(WEB).size()).isZero();
  }

  @Test
  @DisplayName("CP-12 of two workloads at one address the other is found when one is removed")
  void overlappingAddress() {
    exchange(
        stream,
        Responses.addresses(
            Responses.resource(Responses.pod("a", "10.0.0.5"), "1"),
            Responses.resource(Responses.pod("b", "10.0.0.5"), "1")));

    exchange(stream, Responses.removal(ResourceType.ADDRESS, Responses.uid("a")));

    assertThat(known().workload("", ip("10.0.0.5")))
        .isNotNull()
        .extracting(w -> w.name())
        .isEqualTo("b");
  }

  @Test
  @DisplayName("B065 a removal by name cleans every index, and unknown names are ignored")
  void removalByName() {
    exchange(
        stream,
        Responses.addresses(
            Responses.resource(Responses.web(), "1"),
            Responses.resource(Responses.webPod("web-1", "10.0.0.5"), "1")));

    DeltaDiscoveryRequest answer =
        exchange(
            stream,
            Responses.removal(
                ResourceType.ADDRESS,
                Responses.uid("web-1"),
                Responses.WEB,
                "c1//Pod/shop/never-seen",
                "shop/unknown.example.test"));

    assertThat(answer.hasErrorDetail()).isFalse();
    assertThat(known().workload(Responses.uid("web-1"))).isNull();
    assertThat(known().workload("", ip("10.0.0.5"))).isNull();
    assertThat(known().service(WEB)).isNull();
    assertThat(known().serviceByVip("", ip("10.96.0.1"), null)).isNull();
  }

  @Test
  @DisplayName("B065 a resource under a name by which it could not be removed is rejected")
  void nameIsTheKey() {
    Address pod = Address.newBuilder().setWorkload(Responses.pod("a", "10.0.0.5")).build();

    DeltaDiscoveryRequest answer =
        exchange(
            stream,
            Responses.addresses(
                Responses.resource("other", "1", ResourceType.ADDRESS, pod).build()));

    assertThat(answer.getErrorDetail().getMessage())
        .contains("other: its key is '" + Responses.uid("a") + "'");
    assertThat(known().workloads()).isEmpty();
  }

  @Test
  @DisplayName("of a resource that is both sent and removed in one response nothing is left")
  void removalAfterUpdate() {
    exchange(
        stream,
        Responses.response(
                ResourceType.ADDRESS, Responses.resource(Responses.pod("x", "10.0.0.7"), "1"))
            .addRemovedResources(Responses.uid("x"))
            .build());

    assertThat(known().workloads()).isEmpty();
  }

  @Test
  @DisplayName("of a resource that is sent twice in one response the last one counts")
  void lastOneWins() {
    exchange(
        stream,
        Responses.addresses(
            Responses.resource(Responses.pod("x", "10.0.0.7"), "1"),
            Responses.resource(Responses.pod("x", "10.0.0.8"), "2")));

    assertThat(known().workload("", ip("10.0.0.7"))).isNull();
    assertThat(known().workload("", ip("10.0.0.8"))).isNotNull();
  }

  @Test
  @DisplayName("B070 garbage between two good ones: one rejection by name, the stream stays")
  void garbageBetweenGoodOnes() {
    Workload.Builder newer = Responses.pod("newer", "10.0.0.7");
    newer.setUnknownFields(
        com.google.protobuf.UnknownFieldSet.newBuilder()
            .addField(
                99, com.google.protobuf.UnknownFieldSet.Field.newBuilder().addVarint(7).build())
            .build());

    DeltaDiscoveryRequest answer =
        exchange(
            stream,
            Responses.addresses(
                Responses.resource(Responses.pod("a", "10.0.0.5"), "1"),
                Responses.garbage("broken", ResourceType.ADDRESS),
                Responses.resource(newer, "1")));

    assertThat(answer.getErrorDetail().getMessage()).startsWith("broken: not an Address");
    assertThat(known().workloads()).extracting(w -> w.name()).contains("a", "newer");
    Eventually.holds(
        "the rejection is counted",
        () -> client.status().types().get(ResourceType.ADDRESS).rejections() == 1);
    assertThat(exchange(stream, Responses.addresses()).hasErrorDetail()).isFalse();
  }

  @Test
  @DisplayName("B070 a resource of a foreign type is rejected by name")
  void foreignTypeInside() {
    Resource.Builder foreign = Responses.resource(Responses.pod("a", "10.0.0.5"), "1").toBuilder();
    foreign.getResourceBuilder().setTypeUrl("type.googleapis.com/envoy.config.cluster.v3.Cluster");

    DeltaDiscoveryRequest answer = exchange(stream, Responses.addresses(foreign.build()));

    assertThat(answer.getErrorDetail().getMessage())
        .contains(Responses.uid("a"))
        .contains("envoy.config.cluster.v3.Cluster");
    assertThat(known().workloads()).isEmpty();
  }

  @Test
  @DisplayName("B075 no address is no reason to reject, three bytes are")
  void addressesOfAnyNumber() {
    DeltaDiscoveryRequest answer =
        exchange(
            stream,
            Responses.addresses(
                Responses.resource(
                    Responses.pod("named", "10.0.0.5")
                        .clearAddresses()
                        .setHostname("db.partner.example.test"),
                    "1"),
                Responses.resource(Responses.pod("v6", "2001:db8::5"), "1")));

    assertThat(answer.hasErrorDetail()).isFalse();
    assertThat(known().workload("", ip("2001:db8::5"))).isNotNull();
    assertThat(known().workload(Responses.uid("named")).addresses()).isEmpty();
  }

  @Test
  @DisplayName("B078 a rejected update leaves the good version, and a later one heals it")
  void rejectedUpdateLeavesTheGoodOne() {
    exchange(
        stream,
        Responses.addresses(
            Responses.resource(Responses.web(), "1"),
            Responses.resource(Responses.webPod("a", "10.0.0.5"), "1")));
    Workload.Builder broken = Responses.webPod("a", "10.0.0.6");
    broken.putServices(
        Responses.WEB,
        broken.getServicesOrThrow(Responses.WEB).toBuilder()
            .setPorts(
                0,
                io.heddle.internal.proto.workload.Port.newBuilder()
                    .setServicePort(80)
                    .setTargetPort(70_000))
            .build());

    DeltaDiscoveryRequest answer =
        exchange(stream, Responses.addresses(Responses.resource(broken, "2")));
    assertThat(answer.getErrorDetail().getMessage()).contains(Responses.uid("a")).contains("70000");
    assertThat(known().workload("", ip("10.0.0.5"))).isNotNull();
    Eventually.holds(
        "the rejected resource is shown",
        () ->
            client
                .status()
                .types()
                .get(ResourceType.ADDRESS)
                .rejected()
                .containsKey(Responses.uid("a")));

    exchange(
        stream, Responses.addresses(Responses.resource(Responses.webPod("a", "10.0.0.7"), "3")));
    assertThat(known().workload("", ip("10.0.0.7"))).isNotNull();
  }

  @Test
  @DisplayName("CP-50 updates and deletions of pods, services and policies are taken name by name")
  void updatesAndDeletions() {
    exchange(
        stream,
        Responses.addresses(
            Responses.resource(Responses.web(), "1"),
            Responses.resource(Responses.webPod("a", "10.0.0.5"), "1"),
            Responses.resource(Responses.webPod("b", "10.0.0.6"), "1")));
    exchange(
        stream,
        Responses.response(
                ResourceType.ADDRESS, Responses.resource(Responses.webPod("a", "10.0.0.50"), "2"))
            .addRemovedResources(Responses.uid("b"))
            .build());

    assertThat(known().endpoints(WEB).all())
        .extracting(endpoint -> endpoint.workload().addresses())
        .containsExactly(List.of(ip("10.0.0.50")));
  }

  @Test
  @DisplayName("B085 a service that loses its waypoint loses it at once")
  void waypointIsWithdrawn() {
    io.heddle.internal.proto.workload.GatewayAddress waypoint =
        io.heddle.internal.proto.workload.GatewayAddress.newBuilder()
            .setHostname(
                io.heddle.internal.proto.workload.NamespacedHostname.newBuilder()
                    .setNamespace("shop")
                    .setHostname("waypoint.shop.svc.cluster.local"))
            .setHboneMtlsPort(15008)
            .build();
    exchange(
        stream,
        Responses.addresses(Responses.resource(Responses.web().setWaypoint(waypoint), "1")));
    assertThat(known().service(WEB).waypoint()).isNotNull();

    exchange(stream, Responses.addresses(Responses.resource(Responses.web(), "2")));

    assertThat(known().service(WEB).waypoint()).isNull();
  }

  @Test
  @DisplayName("every response is answered once, in order, without names")
  void oneAnswerForEachResponse() {
    List<String> nonces = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      var response =
          Responses.response(i % 2 == 0 ? ResourceType.ADDRESS : ResourceType.AUTHORIZATION)
              .build();
      nonces.add(response.getNonce());
      stream.send(response);
    }

    List<DeltaDiscoveryRequest> answers = new ArrayList<>();
    nonces.forEach(unused -> answers.add(stream.next()));

    assertThat(answers).extracting(DeltaDiscoveryRequest::getResponseNonce).isEqualTo(nonces);
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.getResourceNamesSubscribeList()).isEmpty();
              assertThat(answer.getInitialResourceVersionsMap()).isEmpty();
              assertThat(answer.hasNode()).isFalse();
            });
    assertThat(stream.unread()).isZero();
  }
}
