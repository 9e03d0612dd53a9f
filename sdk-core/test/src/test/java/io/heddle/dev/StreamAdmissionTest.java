// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static io.heddle.dev.AdsStream.ADDRESS;
import static io.heddle.dev.AdsStream.node;
import static io.heddle.dev.AdsStream.request;
import static io.heddle.dev.PlaneFixture.WEB;
import static io.heddle.dev.PlaneFixture.twoPods;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.heddle.internal.proto.xds.Node;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may open a stream, and how others are refused (control-plane reference 1.3 to 1.6). */
class StreamAdmissionTest {

  private static final String ID = "ztunnel~127.0.0.9~web.app~app.svc.cluster.local";

  private final PlaneFixture fixture = new PlaneFixture(twoPods().build());

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private AdsStream stream(@Nullable String token, @Nullable String cluster) throws Exception {
    return new AdsStream(fixture.client(), PlaneClient.credentials(token, cluster));
  }

  private Status endOf(Node node) throws Exception {
    return fixture.stream().send(node, request(ADDRESS)).end();
  }

  @ParameterizedTest(name = "CP-53 a malformed node id ends the stream: {0}")
  @ValueSource(
      strings = {
        "ztunnel~127.0.0.9~web.app",
        "ztunnel~127.0.0.9~web.app~app.svc.cluster.local~more",
        "gateway~127.0.0.9~web.app~app.svc.cluster.local",
        "ztunnel~nowhere~web.app~app.svc.cluster.local"
      })
  void malformedNodeId(String id) throws Exception {
    assertThat(endOf(node(id, "app")).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  @DisplayName("CP-54 the namespace and a service account that is named have to be the token's")
  void identityCheck() throws Exception {
    assertThat(endOf(node(ID, "other")).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(endOf(node(ID, "app", "SERVICE_ACCOUNT", "batch")).getCode())
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(
            fixture.stream()
                .send(node(ID, "app", "SERVICE_ACCOUNT", "web"), request(ADDRESS))
                .next()
                .getResourcesCount())
        .isPositive();
    assertThat(fixture.stream().send(node(ID, "app"), request(ADDRESS)).next().getResourcesCount())
        .isPositive();
  }

  @Test
  @DisplayName("without NAMESPACE the first label of the node id's domain counts")
  void namespaceOfDomain() throws Exception {
    Node bare = Node.newBuilder().setId(ID).build();
    assertThat(fixture.stream().send(bare, request(ADDRESS)).next().getResourcesCount())
        .isPositive();
    Node foreign = Node.newBuilder().setId("ztunnel~127.0.0.9~web.app~x.svc.cluster.local").build();
    assertThat(endOf(foreign).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  @DisplayName("INSTANCE_IPS goes before the address in the node id")
  void instanceIps() throws Exception {
    Node node =
        node(
            "ztunnel~nowhere~web.app~app.svc.cluster.local",
            "app",
            "INSTANCE_IPS",
            "127.0.0.9,::1");
    assertThat(fixture.stream().send(node, request(ADDRESS)).next().getResourcesCount())
        .isPositive();
  }

  @Test
  @DisplayName("the first request has to carry a node, unless it tells a machine's health")
  void missingNode() throws Exception {
    AdsStream healthFirst = fixture.stream();
    healthFirst.send(request("type.googleapis.com/istio.v1.HealthInformation"));
    healthFirst.send(WEB, request(ADDRESS));
    assertThat(healthFirst.next().getResourcesCount()).isPositive();

    Status end = fixture.stream().send(request(ADDRESS)).end();
    assertThat(end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(end.getDescription()).contains("missing node information");
  }

  @Test
  @DisplayName("an expired token is refused before any answer")
  void expiredToken() throws Exception {
    String expired = fixture.plane.token("app/web", "istio-ca", Duration.ZERO);
    Status end = stream(expired, null).end();
    assertThat(end.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(end.getDescription()).contains("expired");
  }

  @Test
  @DisplayName("a token for another audience is refused")
  void foreignAudience() throws Exception {
    String token = fixture.plane.token("app/web", "vault", Duration.ofHours(1));
    assertThat(stream(token, null).end().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  @DisplayName("the token of another control plane is refused")
  void foreignToken() throws Exception {
    try (LocalControlPlane other = LocalControlPlane.builder().start()) {
      assertThat(stream(other.token("app/web"), null).end().getCode())
          .isEqualTo(Status.Code.UNAUTHENTICATED);
    }
  }

  @ParameterizedTest(name = "a token that is none is refused: {0}")
  @ValueSource(strings = {"none", "a.b.c", "..", "a.b", "x.y.z.w"})
  void noToken(String text) throws Exception {
    assertThat(stream(text, null).end().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  @DisplayName("a call without a token is refused")
  void missingToken() throws Exception {
    assertThat(stream(null, "Kubernetes").end().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  @DisplayName("an unknown cluster is refused, none at all is istiod's own")
  void clusters() throws Exception {
    String token = fixture.plane.token("app/web");
    assertThat(stream(token, "elsewhere").end().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(stream(token, null).send(WEB, request(ADDRESS)).next().getResourcesCount())
        .isPositive();
  }

  @Test
  @DisplayName("a type without a generator ends the stream")
  void unknownType() throws Exception {
    Status end = fixture.stream().send(WEB, request("type.googleapis.com/no.such.Type")).end();
    assertThat(end.getCode()).isEqualTo(Status.Code.UNKNOWN);
  }

  @Test
  @DisplayName("a request above 4 MiB ends the stream")
  void inboundLimit() throws Exception {
    var request = request(ADDRESS);
    IntStream.range(0, 60_000)
        .forEach(
            i ->
                request.putInitialResourceVersions(
                    "Kubernetes//Pod/namespace/workload-with-a-long-name-" + i,
                    "0123456789abcdef"));
    assertThat(fixture.stream().send(WEB, request).end().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }
}
