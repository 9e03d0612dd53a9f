// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.TunnelProtocol;
import io.heddle.internal.proto.workload.Workload;
import io.heddle.internal.proto.xds.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import io.heddle.internal.proto.xds.Node;
import io.heddle.internal.proto.xds.Resource;
import io.heddle.testing.IssuedCertificate;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestIstioCa;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The discovery half of a control plane over TLS on loopback: sends everything when it is first
 * asked for a type, and what a test adds later. It can be silent about a type, and be stopped.
 */
final class DiscoveryServer implements AutoCloseable {

  static final String ADDRESS = "type.googleapis.com/istio.workload.Address";
  static final String AUTHORIZATION = "type.googleapis.com/istio.security.Authorization";

  private final TestAuthority web;
  private final Map<String, Resource> addresses = new LinkedHashMap<>();
  private final Set<String> silent = ConcurrentHashMap.newKeySet();
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
  private final AtomicInteger nonces = new AtomicInteger();
  private final int port;
  private Server server;

  DiscoveryServer(TestAuthority web) {
    this.web = web;
    this.server = listen(0);
    this.port = server.getPort();
  }

  private Server listen(int at) {
    IssuedCertificate own = web.leaf().dns(TestIstioCa.HOST).issue();
    try {
      return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", at))
          .sslContext(
              GrpcSslContexts.configure(
                      SslContextBuilder.forServer(own.privateKey(), own.chain()), SslProvider.JDK)
                  .build())
          .addService(new Discovery())
          .build()
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String address() {
    return "https://127.0.0.1:" + port;
  }

  /** Answers nothing about a type from now on. */
  void silentAbout(String type) {
    silent.add(type);
  }

  /** Answers again, also what was left unanswered. */
  void speaksAbout(String type) {
    silent.remove(type);
    subscribers.forEach(subscriber -> subscriber.answerFirst(type));
  }

  /** The nodes that asked. */
  List<Node> nodes() {
    return nodes;
  }

  /** A workload of the mesh from now on. */
  void pod(String namespace, String name, InetAddress address) {
    add(podOf(namespace, name, address).build());
  }

  static Workload.Builder podOf(String namespace, String name, InetAddress address) {
    return Workload.newBuilder()
        .setUid("Kubernetes//Pod/" + namespace + "/" + name)
        .setName(name)
        .setNamespace(namespace)
        .setServiceAccount(name)
        .setTrustDomain("mesh.test")
        .setTunnelProtocol(TunnelProtocol.HBONE)
        .addAddresses(ByteString.copyFrom(address.getAddress()));
  }

  synchronized void add(Workload workload) {
    Resource resource =
        resource(workload.getUid(), Address.newBuilder().setWorkload(workload).build());
    addresses.put(workload.getUid(), resource);
    subscribers.forEach(subscriber -> subscriber.push(ADDRESS, List.of(resource)));
  }

  private synchronized List<Resource> all(String type) {
    return type.equals(ADDRESS) ? List.copyOf(addresses.values()) : List.of();
  }

  private static Resource resource(String name, MessageLite message) {
    return Resource.newBuilder()
        .setName(name)
        .setVersion("1")
        .setResource(Any.newBuilder().setTypeUrl(ADDRESS).setValue(message.toByteString()))
        .build();
  }

  /** Goes away with all connections. */
  void stop() {
    server.shutdownNow();
    try {
      server.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    subscribers.clear();
  }

  /** Comes back where it was. */
  void restart() {
    server = listen(port);
  }

  @Override
  public void close() {
    stop();
  }

  private final class Discovery extends AggregatedDiscoveryServiceImplBase {
    @Override
    public StreamObserver<DeltaDiscoveryRequest> deltaAggregatedResources(
        StreamObserver<DeltaDiscoveryResponse> responses) {
      Subscriber subscriber = new Subscriber(responses);
      subscribers.add(subscriber);
      return subscriber;
    }
  }

  private final class Subscriber implements StreamObserver<DeltaDiscoveryRequest> {

    private final StreamObserver<DeltaDiscoveryResponse> responses;
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();

    Subscriber(StreamObserver<DeltaDiscoveryResponse> responses) {
      this.responses = responses;
    }

    @Override
    public void onNext(DeltaDiscoveryRequest request) {
      if (request.hasNode()) {
        nodes.add(request.getNode());
      }
      if (request.getResponseNonce().isEmpty()) {
        waiting.add(request.getTypeUrl());
        answerFirst(request.getTypeUrl());
      }
    }

    void answerFirst(String type) {
      if (!silent.contains(type) && waiting.remove(type)) {
        answered.add(type);
        send(type, all(type));
      }
    }

    void push(String type, List<Resource> resources) {
      if (answered.contains(type)) {
        send(type, resources);
      }
    }

    private synchronized void send(String type, List<Resource> resources) {
      responses.onNext(
          DeltaDiscoveryResponse.newBuilder()
              .setTypeUrl(type)
              .setNonce("n" + nonces.incrementAndGet())
              .addAllResources(resources)
              .build());
    }

    @Override
    public void onError(Throwable failure) {
      subscribers.remove(this);
    }

    @Override
    public void onCompleted() {
      subscribers.remove(this);
      responses.onError(Status.UNAVAILABLE.asRuntimeException());
    }
  }
}
