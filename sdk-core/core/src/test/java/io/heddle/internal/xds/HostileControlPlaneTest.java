// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.Workload;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Resource;
import io.heddle.testing.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A control plane that is broken or means harm: state and process survive, the reason is shown. */
class HostileControlPlaneTest extends AdsFixture {

  private static final int SMALL = 64 * 1024;

  private static AdsLimits limits(int messageBytes, int resources, Duration silence) {
    AdsLimits d = AdsLimits.DEFAULT;
    return new AdsLimits(
        messageBytes, 16 * 1024, 300, resources, d.requestBytes(), 10, silence, d.proof());
  }

  private ScriptedControlPlane.Stream openWithOnePod() {
    ScriptedControlPlane.Stream stream = openSynced();
    exchange(stream, Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "1")));
    return stream;
  }

  private void expectNextStreamAndState(String reason) {
    Eventually.holds(
        "the reason is shown: " + reason,
        () -> String.valueOf(client.status().lastError()).contains(reason));
    assertThat(known().workload(Responses.uid("a"))).as("the state stays").isNotNull();
    exchange(opening().stream(), Responses.addresses());
  }

  @ParameterizedTest(name = "garbage of seed {0} in the place of a response ends the stream only")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void garbage(long seed) {
    byte[] bytes = new byte[500];
    new Random(seed).nextBytes(bytes);
    // A group's end that has no beginning, so that no seed is a message by accident.
    bytes[0] = 12;

    openWithOnePod().sendRaw(bytes);

    expectNextStreamAndState("not a discovery response");
  }

  @Test
  @DisplayName("a response that ends in the middle changes nothing")
  void truncated() {
    byte[] whole =
        Responses.addresses(
                Responses.resource(Responses.pod("a", "10.0.0.66"), "2"),
                Responses.resource(Responses.pod("b", "10.0.0.6"), "1"))
            .toByteArray();

    openWithOnePod().sendRaw(java.util.Arrays.copyOf(whole, whole.length - 3));

    expectNextStreamAndState("not a discovery response");
    assertThat(known().workloads()).hasSize(1);
    assertThat(known().workload(Responses.uid("a")).addresses().toString()).contains("10.0.0.5");
  }

  @Test
  @DisplayName("a response without a nonce cannot be answered and ends the stream")
  void noNonce() {
    openWithOnePod()
        .send(DeltaDiscoveryResponse.newBuilder().setTypeUrl(ResourceType.ADDRESS.url()).build());

    expectNextStreamAndState("without a nonce");
  }

  @Test
  @DisplayName("a nonce of a megabyte is not sent back")
  void hugeNonce() {
    openWithOnePod()
        .send(Responses.response(ResourceType.ADDRESS).setNonce("n".repeat(1 << 20)).build());

    expectNextStreamAndState("a nonce of 1048576 bytes");
  }

  @Test
  @DisplayName("a nonce that was used before is answered like any other")
  void repeatedNonce() {
    ScriptedControlPlane.Stream stream = openWithOnePod();
    for (int i = 0; i < 3; i++) {
      DeltaDiscoveryRequest answer =
          exchange(stream, Responses.response(ResourceType.ADDRESS).setNonce("same").build());
      assertThat(answer.hasErrorDetail()).isFalse();
    }
  }

  @Test
  @DisplayName("resources of a type that was never asked for are acknowledged and ignored")
  void foreignType() {
    ScriptedControlPlane.Stream stream = openWithOnePod();

    DeltaDiscoveryRequest answer =
        exchange(
            stream,
            DeltaDiscoveryResponse.newBuilder()
                .setTypeUrl("type.googleapis.com/envoy.config.cluster.v3.Cluster")
                .setNonce("x")
                .addResources(Responses.resource(Responses.pod("b", "10.0.0.6"), "1"))
                .build());

    assertThat(answer.hasErrorDetail()).isFalse();
    assertThat(answer.getTypeUrl()).endsWith("Cluster");
    assertThat(known().workloads()).hasSize(1);
  }

  @Test
  @DisplayName("a response above the inbound limit ends the stream and says which limit")
  void hugeResponse() {
    use(builder().limits(limits(SMALL, 100, Duration.ofMinutes(1))));

    openWithOnePod()
        .send(
            Responses.addresses(
                Responses.resource(
                    Responses.pod("b", "10.0.0.6").setNode("n".repeat(2 * SMALL)), "1")));

    expectNextStreamAndState("raise the inbound limit");
  }

  @Test
  @DisplayName("a small compressed response that unpacks above the limit ends the stream")
  void compressionBomb() {
    use(builder().limits(limits(SMALL, 100, Duration.ofMinutes(1))));
    client.start();
    ScriptedControlPlane.Stream stream = opening().stream();
    stream.compress();
    exchange(stream, Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "1")));

    stream.send(
        Responses.response(ResourceType.ADDRESS)
            .setSystemVersionInfo("0".repeat(100 * SMALL))
            .build());

    expectNextStreamAndState("raise the inbound limit");
  }

  @Test
  @DisplayName("a compressed response is read as any other")
  void compressed() {
    client.start();
    ScriptedControlPlane.Stream stream = opening().stream();
    stream.compress();

    exchange(stream, Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "1")));

    assertThat(known().workloads()).hasSize(1);
  }

  @Test
  @DisplayName("more resources than the limit are rejected, those that are held can change")
  void endlessResources() {
    use(builder().limits(limits(1 << 22, 3, Duration.ofMinutes(1))));
    ScriptedControlPlane.Stream stream = openWithOnePod();
    var many = Responses.response(ResourceType.ADDRESS);
    for (int i = 0; i < 1000; i++) {
      many.addResources(Responses.resource(Responses.pod("w" + i, "10.0.1.1"), "1"));
    }
    many.addResources(Responses.resource(Responses.pod("a", "10.0.0.9"), "2"));

    DeltaDiscoveryRequest answer = exchange(stream, many.build());

    assertThat(known().workloads()).hasSize(3);
    assertThat(known().workload(Responses.uid("a")).addresses().toString()).contains("10.0.0.9");
    assertThat(answer.getErrorDetail().getMessage())
        .contains("3 resources of this type are held already")
        .contains("and 948 more")
        .hasSizeLessThan(20_000);
  }

  @ParameterizedTest(name = "a name of {0} characters is rejected, and not repeated in full")
  @ValueSource(ints = {301, 5_000})
  void hugeName(int length) {
    use(builder().limits(limits(1 << 22, 100, Duration.ofMinutes(1))));
    String uid = "u".repeat(length);

    DeltaDiscoveryRequest answer =
        exchange(
            openWithOnePod(),
            Responses.addresses(
                Responses.resource(Workload.newBuilder().setUid(uid), "1"),
                Responses.resource(Responses.pod("b", "10.0.0.6"), "1")));

    assertThat(answer.getErrorDetail().getMessage())
        .contains("a name of " + length + " characters")
        .hasSizeLessThan(1000);
    assertThat(known().workloads()).hasSize(2);
  }

  @Test
  @DisplayName("a resource above its limit is rejected by its position, unread")
  void hugeResource() {
    use(builder().limits(limits(1 << 22, 100, Duration.ofMinutes(1))));

    DeltaDiscoveryRequest answer =
        exchange(
            openWithOnePod(),
            Responses.addresses(
                Responses.resource(Responses.pod("b", "10.0.0.6"), "1"),
                Responses.resource(Responses.pod("c", "10.0.0.7").setNode("n".repeat(20_000)), "1"),
                Responses.resource(Responses.pod("d", "10.0.0.8"), "1")));

    assertThat(answer.getErrorDetail().getMessage())
        .startsWith("resource 1 of the response: 2")
        .contains("at most 16384");
    assertThat(known().workloads())
        .extracting(w -> w.name())
        .containsExactlyInAnyOrder("a", "b", "d");
  }

  @Test
  @DisplayName("something that is no resource is rejected by its position, the rest applies")
  void noResourceAtAll() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeBytes(2, ByteString.copyFrom(new byte[] {(byte) 0x1a, 100, 1}));
    out.writeMessage(2, Responses.resource(Responses.pod("b", "10.0.0.6"), "1"));
    out.writeString(4, ResourceType.ADDRESS.url());
    out.writeString(5, "n1");
    out.flush();
    ScriptedControlPlane.Stream stream = openWithOnePod();

    stream.sendRaw(bytes.toByteArray());

    assertThat(stream.next().getErrorDetail().getMessage())
        .startsWith("resource 0 of the response: not a resource");
    assertThat(known().workloads()).hasSize(2);
  }

  @Test
  @DisplayName("a flood of unknown removals leaves nothing behind")
  void floodOfRemovals() {
    var flood = Responses.response(ResourceType.ADDRESS);
    for (int i = 0; i < 200_000; i++) {
      flood.addRemovedResources("x" + i);
    }
    flood.addRemovedResources("y".repeat(100_000));

    exchange(openWithOnePod(), flood.build());

    assertThat(known().workloads()).hasSize(1);
  }

  @Test
  @DisplayName("nesting without end is rejected with the resource that has it")
  void deepNesting() {
    ByteString nested = ByteString.EMPTY;
    for (int i = 0; i < 1000; i++) {
      byte[] head = {(byte) (15 << 3 | 3)};
      nested = ByteString.copyFrom(head).concat(nested);
    }
    Resource deep =
        Responses.resource("deep", "1", ResourceType.ADDRESS, Address.getDefaultInstance())
            .setResource(
                com.google.protobuf.Any.newBuilder()
                    .setTypeUrl(ResourceType.ADDRESS.url())
                    .setValue(nested))
            .build();

    DeltaDiscoveryRequest answer = exchange(openWithOnePod(), Responses.addresses(deep));

    assertThat(answer.getErrorDetail().getMessage()).startsWith("deep: not an Address");
  }

  @Test
  @DisplayName("a control plane that never answers is left, with the reason")
  void neverAnswers() {
    use(builder().limits(limits(SMALL, 100, Duration.ofMillis(200))));
    open();

    Eventually.holds("the reason is shown", () -> server.opened() > 1);

    assertThat(opening().stream()).isNotNull();
  }

  @ParameterizedTest(name = "{0} says what to look at: {1}")
  @CsvSource({
    "UNAUTHENTICATED, audience istio-ca",
    "PERMISSION_DENIED, POD_NAMESPACE",
    "UNIMPLEMENTED, does not speak incremental",
    "INVALID_ARGUMENT, check the node",
    "RESOURCE_EXHAUSTED, so many new streams",
  })
  void diagnosis(io.grpc.Status.Code code, String advice) {
    open().stream().end(code.toStatus().withDescription("no"));

    Eventually.holds(
        "the advice is shown", () -> String.valueOf(client.status().lastError()).contains(advice));
  }
}
