// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.WorkloadIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A scripted control plane, a client of it, and the index that the client fills. */
abstract class AdsFixture {

  static final ProxyNode NODE =
      new ProxyNode(ProxyNode.ZTUNNEL, "127.0.0.1", "web-1", "shop", "cluster.local", Map.of());

  final WorkloadIndex index = new WorkloadIndex("Kubernetes", UnknownPolicies.REFUSE);
  ScriptedControlPlane server;
  AdsClient client;

  @BeforeEach
  void startServer() throws IOException {
    server = ScriptedControlPlane.start();
    client = builder().build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    client.close();
    server.close();
  }

  AdsClientBuilder builder() {
    return AdsClient.builder(() -> server.channel(), NODE, index)
        .backoff(Duration.ofMillis(1), Duration.ofMillis(20));
  }

  /** Takes a client made another way, before the first one connects. */
  void use(AdsClientBuilder builder) {
    client.close();
    client = builder.build();
  }

  MeshSnapshot known() {
    return index.current();
  }

  /** Starts the client and takes its first requests. */
  Opening open() {
    client.start();
    return opening();
  }

  /** The first requests of the next stream. */
  Opening opening() {
    ScriptedControlPlane.Stream stream = server.nextStream();
    return new Opening(
        stream, stream.next(ResourceType.ADDRESS), stream.next(ResourceType.AUTHORIZATION));
  }

  /** Sends a response and returns how the client answered it. */
  static DeltaDiscoveryRequest exchange(
      ScriptedControlPlane.Stream stream, DeltaDiscoveryResponse response) {
    stream.send(response);
    DeltaDiscoveryRequest answer = stream.next();
    if (!answer.getResponseNonce().equals(response.getNonce())) {
      throw new AssertionError("answered with another nonce: " + answer);
    }
    return answer;
  }

  /** A stream whose subscriptions are both answered with nothing. */
  ScriptedControlPlane.Stream openSynced() {
    ScriptedControlPlane.Stream stream = open().stream();
    exchange(stream, Responses.addresses());
    exchange(stream, Responses.policies());
    return stream;
  }

  record Opening(
      ScriptedControlPlane.Stream stream,
      DeltaDiscoveryRequest addresses,
      DeltaDiscoveryRequest policies) {}
}
