// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.testing.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReconnectTest extends AdsFixture {

  /** a, b and the policy p are held; then the stream is cut. */
  private Opening reconnectWithTwoPodsAndAPolicy() {
    Opening first = open();
    exchange(
        first.stream(),
        Responses.addresses(
            Responses.resource(Responses.pod("a", "10.0.0.5"), "a1"),
            Responses.resource(Responses.pod("b", "10.0.0.6"), "b1")));
    exchange(first.stream(), Responses.policies(Responses.resource(Responses.policy("p"))));
    first.stream().end(Status.UNAVAILABLE.withDescription("cut"));
    return opening();
  }

  @Test
  @DisplayName("CP-04 a reconnect lists what was accepted with its version, not what was rejected")
  void listsAcceptedOnly() {
    Opening first = open();
    exchange(
        first.stream(),
        Responses.addresses(
            Responses.resource(Responses.pod("good", "10.0.0.5"), "77"),
            Responses.garbage(Responses.uid("bad"), ResourceType.ADDRESS)));
    first.stream().end(Status.UNAVAILABLE);

    DeltaDiscoveryRequest request = opening().addresses();

    assertThat(request.getInitialResourceVersionsMap())
        .isEqualTo(Map.of(Responses.uid("good"), "77"));
  }

  @Test
  @DisplayName("XDS-02 a good resource that was rejected later is not listed")
  void doesNotListWhatWasRejectedLater() {
    Opening first = open();
    exchange(
        first.stream(),
        Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "1")));
    exchange(
        first.stream(),
        Responses.addresses(Responses.garbage(Responses.uid("a"), ResourceType.ADDRESS)));
    first.stream().end(Status.UNAVAILABLE);

    Opening second = opening();

    assertThat(second.addresses().getInitialResourceVersionsMap()).isEmpty();
    assertThat(known().workload(Responses.uid("a"))).as("the good version stays").isNotNull();
  }

  @Test
  @DisplayName("CP-05 what was added before an abort is removed by the next stream")
  void addAbortRemove() {
    Opening first = open();
    exchange(
        first.stream(),
        Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "1")));
    first.stream().end(Status.ABORTED);
    Opening second = opening();
    assertThat(known().workload(Responses.uid("a"))).isNotNull();

    exchange(second.stream(), Responses.removal(ResourceType.ADDRESS, Responses.uid("a")));

    assertThat(known().workload(Responses.uid("a"))).isNull();
  }

  @Test
  @DisplayName("B066 the control plane names what was deleted meanwhile")
  void deletionsAreNamed() {
    Opening second = reconnectWithTwoPodsAndAPolicy();
    assertThat(second.addresses().getInitialResourceVersionsMap())
        .isEqualTo(Map.of(Responses.uid("a"), "a1", Responses.uid("b"), "b1"));
    assertThat(second.policies().getInitialResourceVersionsMap()).isEqualTo(Map.of("shop/p", ""));

    exchange(second.stream(), Responses.removal(ResourceType.ADDRESS, Responses.uid("b")));
    exchange(second.stream(), Responses.removal(ResourceType.AUTHORIZATION, "shop/p"));

    assertThat(known().workloads()).extracting(w -> w.name()).containsExactly("a");
    assertThat(known().policies().policies()).isEmpty();
  }

  @Test
  @DisplayName("B066 a control plane that sends what was listed has not read the list")
  void fullSetReplacesWhatIsHeld() {
    Opening second = reconnectWithTwoPodsAndAPolicy();

    exchange(
        second.stream(),
        Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "a1")));

    assertThat(known().workloads()).extracting(w -> w.name()).containsExactly("a");
  }

  @Test
  @DisplayName("B066 an empty first answer says that nothing has changed")
  void emptyAnswerChangesNothing() {
    Opening second = reconnectWithTwoPodsAndAPolicy();

    exchange(second.stream(), Responses.addresses());
    exchange(second.stream(), Responses.policies());

    assertThat(known().workloads()).hasSize(2);
    assertThat(known().policies().policies()).containsOnlyKeys("shop/p");
  }

  @Test
  @DisplayName("B066 nothing is dropped before an answer came")
  void outageEmptiesNothing() {
    Opening second = reconnectWithTwoPodsAndAPolicy();
    second.stream().end(Status.UNAVAILABLE);
    Opening third = opening();

    assertThat(third.addresses().getInitialResourceVersionsCount()).isEqualTo(2);
    assertThat(known().workloads()).hasSize(2);
    assertThat(known().policies().policies()).hasSize(1);
  }

  @Test
  @DisplayName("CP-40 a changed version is taken, an equal one needs no answer")
  void changedVersionIsTaken() {
    Opening second = reconnectWithTwoPodsAndAPolicy();

    exchange(
        second.stream(),
        Responses.addresses(Responses.resource(Responses.pod("b", "10.0.0.7"), "b2")));
    second.stream().end(Status.UNAVAILABLE);

    assertThat(known().workloads()).hasSize(2);
    assertThat(opening().addresses().getInitialResourceVersionsMap())
        .containsEntry(Responses.uid("a"), "a1")
        .containsEntry(Responses.uid("b"), "b2");
  }

  @Test
  @DisplayName("CP-41 one deleted and one created meanwhile")
  void deletedAndCreatedMeanwhile() {
    Opening second = reconnectWithTwoPodsAndAPolicy();

    exchange(
        second.stream(),
        Responses.response(
                ResourceType.ADDRESS, Responses.resource(Responses.pod("c", "10.0.0.8"), "c1"))
            .addRemovedResources(Responses.uid("b"))
            .build());

    assertThat(known().workloads()).extracting(w -> w.name()).containsExactlyInAnyOrder("a", "c");
  }

  @Test
  @DisplayName("CP-52 a new stream begins without the nonce of the old one")
  void noNonceOfAnotherStream() {
    Opening second = reconnectWithTwoPodsAndAPolicy();

    assertThat(List.of(second.addresses(), second.policies()))
        .allSatisfy(request -> assertThat(request.getResponseNonce()).isEmpty())
        .allSatisfy(request -> assertThat(request.hasErrorDetail()).isFalse());
    assertThat(second.addresses().hasNode()).as("the first request introduces").isTrue();
    assertThat(second.policies().hasNode()).isFalse();
  }

  @Test
  @DisplayName("the list stays below the request limit; what it leaves out has to be sent again")
  void listIsCapped() {
    AdsLimits d = AdsLimits.DEFAULT;
    use(
        builder()
            .limits(
                new AdsLimits(
                    d.messageBytes(),
                    d.resourceBytes(),
                    d.nameLength(),
                    d.resources(),
                    60,
                    d.demands(),
                    d.silence(),
                    d.proof())));
    Opening second = reconnectWithTwoPodsAndAPolicy();
    assertThat(second.addresses().getInitialResourceVersionsMap()).hasSize(1);
    String listed = second.addresses().getInitialResourceVersionsMap().keySet().iterator().next();

    exchange(
        second.stream(),
        Responses.addresses(Responses.resource(Responses.pod("c", "10.0.0.8"), "c1")));

    assertThat(known().workloads())
        .extracting(w -> w.uid())
        .containsExactlyInAnyOrder(listed, Responses.uid("c"));
  }

  @ParameterizedTest(name = "B069 a stream that ends with {0} is opened again")
  @EnumSource(
      value = Status.Code.class,
      names = {"OK", "UNAVAILABLE", "UNKNOWN", "RESOURCE_EXHAUSTED", "UNAUTHENTICATED"})
  void everyEndIsFollowedByAReconnect(Status.Code code) {
    openSynced().end(code.toStatus());

    assertThat(opening().addresses().getTypeUrl()).isEqualTo(ResourceType.ADDRESS.url());
  }

  @Test
  @DisplayName("B069 a connection that is too old says goodbye, and the state is kept")
  void goodbyeOfAnOldConnection() throws Exception {
    server.close();
    server = ScriptedControlPlane.startWithMaximumAge(200);
    Opening first = open();
    exchange(
        first.stream(),
        Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "1")));
    exchange(first.stream(), Responses.policies());

    Opening second = opening();

    assertThat(second.addresses().getInitialResourceVersionsMap()).containsKey(Responses.uid("a"));
    assertThat(known().workloads()).hasSize(1);
  }

  @Test
  @DisplayName("B069 a TCP connection that ends before any answer is followed by another")
  void endOfTheConnectionBeforeAnyAnswer() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      AtomicReference<Integer> port = new AtomicReference<>(silent.getLocalPort());
      use(
          AdsClient.builder(
              () ->
                  io.grpc.netty.NettyChannelBuilder.forAddress("127.0.0.1", port.get())
                      .usePlaintext()
                      .build(),
              NODE,
              index));
      client.start();
      try (Socket accepted = silent.accept()) {
        accepted.shutdownOutput();
        port.set(server.port());
      }

      assertThat(opening().policies().getTypeUrl()).isEqualTo(ResourceType.AUTHORIZATION.url());
    }
  }

  @Test
  @DisplayName("B069 a reset connection, and one that speaks no HTTP/2, are followed by another")
  void resetConnection() throws IOException {
    try (ServerSocket rude = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      AtomicReference<Integer> port = new AtomicReference<>(rude.getLocalPort());
      use(
          AdsClient.builder(
              () ->
                  io.grpc.netty.NettyChannelBuilder.forAddress("127.0.0.1", port.get())
                      .usePlaintext()
                      .build(),
              NODE,
              index));
      client.start();
      try (Socket accepted = rude.accept()) {
        accepted.setSoLinger(true, 0);
      }
      try (Socket accepted = rude.accept();
          OutputStream out = accepted.getOutputStream()) {
        out.write(
            "HTTP/1.1 400 Bad Request\r\n\r\n"
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        port.set(server.port());
      }

      assertThat(opening().stream()).isNotNull();
    }
  }

  @Test
  @DisplayName("a channel that cannot be made is asked for again")
  void noChannel() {
    AtomicReference<RuntimeException> missing =
        new AtomicReference<>(new IllegalStateException("the root file is missing"));
    use(
        AdsClient.builder(
            () -> {
              RuntimeException failure = missing.get();
              if (failure != null) {
                throw failure;
              }
              return server.channel();
            },
            NODE,
            index));
    client.start();
    Eventually.holds(
        "the reason is shown",
        () -> String.valueOf(client.status().lastError()).contains("root file is missing"));

    missing.set(null);

    assertThat(opening().stream()).isNotNull();
  }
}
