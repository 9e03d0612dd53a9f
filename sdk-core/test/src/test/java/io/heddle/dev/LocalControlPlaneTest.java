// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static io.heddle.dev.AdsStream.ADDRESS;
import static io.heddle.dev.AdsStream.AUTHORIZATION;
import static io.heddle.dev.AdsStream.names;
import static io.heddle.dev.AdsStream.request;
import static io.heddle.dev.PlaneFixture.POD1;
import static io.heddle.dev.PlaneFixture.POD2;
import static io.heddle.dev.PlaneFixture.SVC;
import static io.heddle.dev.PlaneFixture.WEB;
import static io.heddle.dev.PlaneFixture.twoPods;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ConnectivityState;
import io.grpc.Status;
import io.heddle.internal.proto.workload.Address;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a test can do to its control plane, as a plain client sees it. */
class LocalControlPlaneTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final PlaneFixture fixture = new PlaneFixture(twoPods().build());
  private final LocalControlPlane plane = fixture.plane;

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private AdsStream watching() throws Exception {
    AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
    stream.nextAcknowledged();
    return stream;
  }

  @Test
  @DisplayName("a control plane that is not ready ends streams with UNKNOWN, and later serves")
  void notReady() throws Exception {
    plane.inject(Fault.NOT_READY);
    Status end = fixture.stream().end();
    assertThat(end.getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(end.getDescription()).contains("not ready");

    plane.heal(Fault.NOT_READY);
    assertThat(names(fixture.stream().send(WEB, request(ADDRESS)).next())).hasSize(3);
  }

  @Test
  @DisplayName("a hanging control plane takes requests and answers none, until it is healed")
  void hang() throws Exception {
    plane.inject(Fault.HANG);
    AdsStream unanswered = fixture.stream().send(WEB, request(ADDRESS));
    unanswered.close();
    assertThat(unanswered.end().isOk()).isTrue();
    assertThat(unanswered.responses()).isZero();

    plane.heal();
    assertThat(names(fixture.stream().send(WEB, request(ADDRESS)).next())).hasSize(3);
  }

  @Test
  @DisplayName("garbage: resources that cannot be read")
  void unreadableResources() throws Exception {
    plane.inject(Fault.UNREADABLE_RESOURCES);
    var response = fixture.stream().send(WEB, request(ADDRESS)).next();
    assertThat(names(response)).containsExactly(POD1, POD2, SVC);
    assertThatThrownBy(() -> response.getResources(0).getResource().unpack(Address.class))
        .isInstanceOf(InvalidProtocolBufferException.class);
  }

  @Test
  @DisplayName("garbage: a type that nobody asked for")
  void unknownTypes() throws Exception {
    plane.inject(Fault.UNKNOWN_TYPES);
    var response = fixture.stream().send(WEB, request(ADDRESS)).next();
    assertThat(response.getTypeUrl()).isNotIn(ADDRESS, AUTHORIZATION);
  }

  @Test
  @DisplayName("garbage: bytes that are no message")
  void brokenMessages() throws Exception {
    plane.inject(Fault.BROKEN_MESSAGES);
    Status end = fixture.stream().send(WEB, request(ADDRESS)).end();
    assertThat(end.isOk()).isFalse();
  }

  @Test
  @DisplayName("a flapping control plane ends each stream after an answer")
  void flap() throws Exception {
    plane.inject(Fault.FLAP);
    for (int i = 0; i < 3; i++) {
      AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
      assertThat(names(stream.next())).hasSize(3);
      assertThat(stream.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @Test
  @DisplayName("stopped, it refuses connections; restarted, it serves another state as before")
  void restart() throws Exception {
    AdsStream stream = watching();
    String address = plane.address();
    plane.stop();
    assertThat(stream.end().isOk()).isFalse();
    assertThat(fixture.stream().end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);

    plane.restart(MeshState.builder().workload("app/pod2", "127.0.0.2").build());

    assertThat(plane.address()).isEqualTo(address);
    assertThat(names(fixture.stream().send(WEB, request(ADDRESS)).next())).containsExactly(POD2);
  }

  @Test
  @DisplayName("GOAWAY: open streams go on, new ones find the port open")
  void goAway() throws Exception {
    PlaneClient client = fixture.client();
    AdsStream stream =
        new AdsStream(client, PlaneClient.credentials(plane.token("app/web"), null))
            .send(WEB, request(ADDRESS));
    stream.nextAcknowledged();
    assertThat(client.channel.getState(false)).isEqualTo(ConnectivityState.READY);
    var left = new java.util.concurrent.CompletableFuture<Void>();
    client.channel.notifyWhenStateChanged(ConnectivityState.READY, () -> left.complete(null));

    plane.goAway();

    left.get(20, java.util.concurrent.TimeUnit.SECONDS);
    plane.publish(twoPods().removeWorkload("app/pod2").build());
    assertThat(stream.next().getRemovedResourcesList()).containsExactly(POD2);
    assertThat(names(fixture.stream().send(WEB, request(ADDRESS)).next())).doesNotContain(POD2);
  }

  @Test
  @DisplayName("a connection of some age is told to go away")
  void connectionAge() throws Exception {
    try (PlaneFixture aging =
        new PlaneFixture(
            twoPods().build(), builder -> builder.connectionAge(Duration.ofMillis(50)))) {
      PlaneClient client = aging.client();
      AdsStream stream =
          new AdsStream(client, PlaneClient.credentials(aging.plane.token("app/web"), null))
              .send(WEB, request(ADDRESS));
      stream.next();
      var left = new java.util.concurrent.CompletableFuture<Void>();
      client.channel.notifyWhenStateChanged(ConnectivityState.READY, () -> left.complete(null));
      left.get(20, java.util.concurrent.TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("broken streams end with UNAVAILABLE")
  void endStreams() throws Exception {
    AdsStream stream = watching();
    plane.endStreams();
    assertThat(stream.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(plane.clients()).isEmpty();
  }

  @Test
  @DisplayName("in sync means that every client has answered what it was sent")
  void awaitSync() throws Exception {
    AdsStream stream = fixture.stream().send(WEB, request(ADDRESS));
    var response = stream.next();
    assertThatThrownBy(() -> plane.awaitSync(Duration.ofMillis(20)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ztunnel~127.0.0.9");

    stream.acknowledge(response);

    plane.awaitSync(PATIENCE);
  }

  @Test
  @DisplayName("slow answers arrive, in order")
  void slow() throws Exception {
    plane.delayAnswers(Duration.ofMillis(30));
    AdsStream stream = fixture.stream().send(WEB, request(ADDRESS)).send(request(AUTHORIZATION));
    assertThat(stream.next().getTypeUrl()).isEqualTo(ADDRESS);
    assertThat(stream.next().getTypeUrl()).isEqualTo(AUTHORIZATION);
  }

  @Test
  @DisplayName("the local file of a mesh is a state, and its problems are told")
  void localFile(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("mesh.yaml");
    Files.writeString(
        file,
        """
        workloads:
        - {uid: a, name: one, namespace: app, serviceAccount: one, workloadIps: ["127.0.0.1"], protocol: HBONE, services: {}}
        """);
    plane.publish(MeshState.read(file));
    assertThat(names(fixture.stream().send(WEB, request(ADDRESS)).next())).containsExactly("a");

    assertThatThrownBy(() -> MeshState.parse("workloads: [{uid: a}]\nnonsense: 1\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nonsense");
  }

  @Test
  @DisplayName("a workload's environment names everything that its pod would be told")
  void environment() {
    assertThat(plane.environment("app/pod2"))
        .containsEntry("XDS_ADDRESS", plane.address())
        .containsEntry("CA_ADDRESS", plane.address())
        .containsEntry("CLUSTER_ID", "Kubernetes")
        .containsEntry("TRUST_DOMAIN", "cluster.local")
        .containsEntry("POD_NAME", "pod2")
        .containsEntry("POD_NAMESPACE", "app")
        .containsEntry("SERVICE_ACCOUNT", "pod2")
        .containsEntry("NODE_NAME", "node-of-web")
        .containsEntry("INSTANCE_IP", "127.0.0.2")
        .containsKeys("XDS_ROOT_CA", "CA_ROOT_CA", "AUTH_TOKEN");
    assertThatThrownBy(() -> plane.environment("app/nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("app/nobody");
  }
}
