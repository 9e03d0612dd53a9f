// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.index;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.heddle.internal.proto.xds.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A control plane that tells every client of one mesh, in messages of some resources each. */
final class MeshServer implements AutoCloseable {

  private final Server server;

  MeshServer(SyntheticMesh mesh, int resourcesEach) throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                new AggregatedDiscoveryServiceImplBase() {
                  @Override
                  public StreamObserver<DeltaDiscoveryRequest> deltaAggregatedResources(
                      StreamObserver<DeltaDiscoveryResponse> answers) {
                    return new Telling(
                        mesh.responses(resourcesEach),
                        (ServerCallStreamObserver<DeltaDiscoveryResponse>) answers);
                  }
                })
            .build()
            .start();
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  /** One client. What it is told is made as it is sent, so that it is never all in memory. */
  private static final class Telling implements StreamObserver<DeltaDiscoveryRequest> {

    private final Iterator<DeltaDiscoveryResponse> mesh;
    private final ServerCallStreamObserver<DeltaDiscoveryResponse> client;

    /** The type of what is told, once the client has asked for it. */
    private final AtomicReference<@Nullable String> asked = new AtomicReference<>();

    Telling(
        Iterator<DeltaDiscoveryResponse> mesh,
        ServerCallStreamObserver<DeltaDiscoveryResponse> client) {
      this.mesh = mesh;
      this.client = client;
      client.setOnReadyHandler(this::tell);
    }

    @Override
    public void onNext(DeltaDiscoveryRequest request) {
      boolean first = request.getResponseNonce().isEmpty();
      if (first && request.getTypeUrl().equals(SyntheticMesh.ADDRESS_TYPE)) {
        asked.set(request.getTypeUrl());
        tell();
      } else if (first) {
        client.onNext(
            DeltaDiscoveryResponse.newBuilder()
                .setTypeUrl(request.getTypeUrl())
                .setNonce("nothing")
                .build());
      }
    }

    private void tell() {
      while (asked.get() != null && client.isReady() && mesh.hasNext()) {
        client.onNext(mesh.next());
      }
    }

    @Override
    public void onError(Throwable gone) {}

    @Override
    public void onCompleted() {
      client.onCompleted();
    }
  }
}
