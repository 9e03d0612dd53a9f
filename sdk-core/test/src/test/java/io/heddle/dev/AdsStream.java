// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.grpc.CallCredentials;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.heddle.internal.proto.rpc.Status.Builder;
import io.heddle.internal.proto.xds.AggregatedDiscoveryServiceGrpc;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Node;
import io.heddle.internal.proto.xds.Resource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One discovery stream, request by request and response by response. */
public final class AdsStream {

  public static final String ADDRESS = "type.googleapis.com/istio.workload.Address";
  public static final String AUTHORIZATION = "type.googleapis.com/istio.security.Authorization";

  private static final int LIMIT_SECONDS = 20;

  private final BlockingQueue<DeltaDiscoveryResponse> responses = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private final ClientCallStreamObserver<DeltaDiscoveryRequest> requests;
  private int fences;

  public AdsStream(PlaneClient client, CallCredentials credentials) {
    Receiver receiver = new Receiver();
    requests =
        (ClientCallStreamObserver<DeltaDiscoveryRequest>)
            AggregatedDiscoveryServiceGrpc.newStub(client.channel)
                .withCallCredentials(credentials)
                .deltaAggregatedResources(receiver);
  }

  /** The node of a pod, with more metadata as alternating names and values. */
  public static Node node(String id, String namespace, String... metadata) {
    Struct.Builder fields = Struct.newBuilder().putFields("NAMESPACE", value(namespace));
    for (int i = 0; i < metadata.length; i += 2) {
      fields.putFields(metadata[i], value(metadata[i + 1]));
    }
    return Node.newBuilder().setId(id).setMetadata(fields).build();
  }

  private static Value value(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  public static DeltaDiscoveryRequest.Builder request(String type) {
    return DeltaDiscoveryRequest.newBuilder().setTypeUrl(type);
  }

  public AdsStream send(DeltaDiscoveryRequest.Builder request) {
    requests.onNext(request.build());
    return this;
  }

  public AdsStream send(Node node, DeltaDiscoveryRequest.Builder request) {
    return send(request.setNode(node));
  }

  public DeltaDiscoveryResponse next() throws InterruptedException {
    DeltaDiscoveryResponse response = responses.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(response).as("the response, or the end %s", end.getNow(null)).isNotNull();
    return response;
  }

  public DeltaDiscoveryResponse nextAcknowledged() throws InterruptedException {
    DeltaDiscoveryResponse response = next();
    acknowledge(response);
    return response;
  }

  public void acknowledge(DeltaDiscoveryResponse response) {
    send(request(response.getTypeUrl()).setResponseNonce(response.getNonce()));
  }

  public void reject(DeltaDiscoveryResponse response, String why) {
    Builder error = io.heddle.internal.proto.rpc.Status.newBuilder().setCode(3).setMessage(why);
    send(
        request(response.getTypeUrl()).setResponseNonce(response.getNonce()).setErrorDetail(error));
  }

  /**
   * Nothing was sent so far: the next response is to a request of the other type that is made now.
   */
  void assertSilent(String watched) throws InterruptedException {
    String other = watched.equals(ADDRESS) ? AUTHORIZATION : ADDRESS;
    if (fences == 0) {
      send(request(other).addResourceNamesSubscribe("fence/first"));
      assertThat(next().getTypeUrl()).isEqualTo(other);
    }
    String name = "fence/" + fences++;
    send(request(other).addResourceNamesSubscribe(name));
    DeltaDiscoveryResponse response = next();
    assertThat(response.getTypeUrl()).isEqualTo(other);
    assertThat(response.getRemovedResourcesList()).contains(name);
  }

  public Status end() throws Exception {
    return end.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  /** How many responses have come and were not taken. */
  public int responses() {
    return responses.size();
  }

  public void close() {
    requests.onCompleted();
  }

  public static List<String> names(DeltaDiscoveryResponse response) {
    return response.getResourcesList().stream().map(Resource::getName).sorted().toList();
  }

  public static Map<String, String> versions(DeltaDiscoveryResponse response) {
    return response.getResourcesList().stream()
        .collect(java.util.stream.Collectors.toMap(Resource::getName, Resource::getVersion));
  }

  private final class Receiver
      implements ClientResponseObserver<DeltaDiscoveryRequest, DeltaDiscoveryResponse> {
    @Override
    public void beforeStart(ClientCallStreamObserver<DeltaDiscoveryRequest> stream) {}

    @Override
    public void onNext(DeltaDiscoveryResponse response) {
      responses.add(response);
    }

    @Override
    public void onError(Throwable failure) {
      end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }
  }
}
