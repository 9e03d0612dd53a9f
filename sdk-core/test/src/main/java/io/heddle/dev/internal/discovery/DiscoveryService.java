// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.discovery;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.heddle.dev.internal.fault.Conduct;
import io.heddle.dev.internal.fault.Deviation;
import io.heddle.dev.internal.token.Caller;
import io.heddle.dev.internal.token.CallerCheck;
import io.heddle.dev.internal.token.TokenRejectedException;
import io.heddle.internal.proto.xds.AggregatedDiscoveryServiceGrpc;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import java.io.InputStream;

/** Opens streams for callers who prove themselves. */
public final class DiscoveryService implements BindableService {

  private final Discovery discovery;
  private final CallerCheck callers;

  /** Serves what there is to discover. */
  public DiscoveryService(Discovery discovery, CallerCheck callers) {
    this.discovery = discovery;
    this.callers = callers;
  }

  @Override
  public ServerServiceDefinition bindService() {
    MethodDescriptor<DeltaDiscoveryRequest, DeltaDiscoveryResponse> method =
        AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod();
    return ServerServiceDefinition.builder(AggregatedDiscoveryServiceGrpc.SERVICE_NAME)
        .addMethod(
            method.toBuilder(method.getRequestMarshaller(), spoiling(discovery.conduct())).build(),
            ServerCalls.asyncBidiStreamingCall(this::open))
        .build();
  }

  private StreamObserver<DeltaDiscoveryRequest> open(
      StreamObserver<DeltaDiscoveryResponse> responses) {
    if (discovery.conduct().is(Deviation.NOT_READY)) {
      return refuse(
          responses,
          Status.UNKNOWN.withDescription("server is not ready to serve discovery information"));
    }
    Caller caller;
    try {
      caller = callers.current();
    } catch (TokenRejectedException e) {
      return refuse(
          responses,
          Status.UNAUTHENTICATED.withDescription("authentication failure: " + e.getMessage()));
    }
    DiscoveryStream stream = new DiscoveryStream(discovery, caller, responses);
    // Makes an end from the client's side a call of onError instead of an exception on writing.
    ((ServerCallStreamObserver<DeltaDiscoveryResponse>) responses)
        .setOnCancelHandler(() -> stream.onError(new IllegalStateException("cancelled")));
    return stream;
  }

  private static StreamObserver<DeltaDiscoveryRequest> refuse(
      StreamObserver<DeltaDiscoveryResponse> responses, Status status) {
    responses.onError(status.asException());
    return new IgnoredRequests();
  }

  private static MethodDescriptor.Marshaller<DeltaDiscoveryResponse> spoiling(Conduct conduct) {
    MethodDescriptor.Marshaller<DeltaDiscoveryResponse> honest =
        ProtoUtils.marshaller(DeltaDiscoveryResponse.getDefaultInstance());
    return new MethodDescriptor.Marshaller<>() {
      @Override
      public InputStream stream(DeltaDiscoveryResponse response) {
        return conduct.spoiled(honest.stream(response));
      }

      @Override
      public DeltaDiscoveryResponse parse(InputStream bytes) {
        return honest.parse(bytes);
      }
    };
  }

  /** What a client sends on a stream that has ended already. */
  private static final class IgnoredRequests implements StreamObserver<DeltaDiscoveryRequest> {
    @Override
    public void onNext(DeltaDiscoveryRequest request) {}

    @Override
    public void onError(Throwable gone) {}

    @Override
    public void onCompleted() {}
  }
}
