// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import io.heddle.dev.AdsStream;
import io.heddle.dev.PlaneClient;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.Node;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A client's talk with a control plane about one namespace. */
final class Conversation implements AutoCloseable {

  private final String namespace;
  private final List<String> heeded;
  private final PlaneClient client;
  final AdsStream stream;

  /**
   * Opens a stream as the pod web.
   *
   * @param more namespaces besides the world's that are listened for
   */
  Conversation(World world, String... more) throws Exception {
    namespace = world.namespace();
    heeded = Stream.concat(Stream.of(namespace), Stream.of(more)).toList();
    client = world.client();
    stream = new AdsStream(client, PlaneClient.credentials(world.token("web"), "Kubernetes"));
  }

  /** The first request of the stream, and its answer. */
  Heard open(DeltaDiscoveryRequest.Builder first) throws Exception {
    Node node =
        AdsStream.node(
            "ztunnel~127.0.0.9~web." + namespace + "~" + namespace + ".svc.cluster.local",
            namespace,
            "NODE_NAME",
            "node-1");
    return ask(first.setNode(node));
  }

  /** The same, and what is pushed until enough has come. */
  Heard open(DeltaDiscoveryRequest.Builder first, Predicate<Heard> enough) throws Exception {
    return more(open(first), enough);
  }

  /** A request that is answered at once. */
  Heard ask(DeltaDiscoveryRequest.Builder request) throws Exception {
    stream.send(request);
    Heard heard = new Heard(heeded);
    heard.add(stream.nextAcknowledged());
    return heard;
  }

  /** What is pushed until enough has come. */
  Heard until(Predicate<Heard> enough) throws Exception {
    return more(new Heard(heeded), enough);
  }

  private Heard more(Heard heard, Predicate<Heard> enough) throws Exception {
    while (!enough.test(heard)) {
      heard.add(stream.nextAcknowledged());
    }
    return heard;
  }

  @Override
  public void close() throws Exception {
    stream.close();
    client.close();
  }
}
