// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.heddle.internal.proto.xds.AggregatedDiscoveryServiceGrpc;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.internal.proto.xds.DeltaDiscoveryResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A control plane on a loopback socket that does what a test says, right or wrong. */
final class ScriptedControlPlane implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 10;

  private final BlockingQueue<Stream> streams = new LinkedBlockingQueue<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final List<ManagedChannel> channels = new CopyOnWriteArrayList<>();
  private final Server server;
  private final int port;

  private ScriptedControlPlane(NettyServerBuilder builder) throws IOException {
    MethodDescriptor<DeltaDiscoveryRequest, byte[]> method =
        AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod().toBuilder(
                AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()
                    .getRequestMarshaller(),
                new RawBytes())
            .build();
    server =
        builder
            .addService(
                ServerServiceDefinition.builder(AggregatedDiscoveryServiceGrpc.SERVICE_NAME)
                    .addMethod(method, (call, headers) -> open(call))
                    .build())
            .build()
            .start();
    port = server.getPort();
  }

  static ScriptedControlPlane start() throws IOException {
    return new ScriptedControlPlane(builder());
  }

  /** One that says goodbye to a connection of this age. */
  static ScriptedControlPlane startWithMaximumAge(long millis) throws IOException {
    return new ScriptedControlPlane(
        builder()
            .maxConnectionAge(millis, TimeUnit.MILLISECONDS)
            .maxConnectionAgeGrace(100, TimeUnit.MILLISECONDS));
  }

  private static NettyServerBuilder builder() {
    return NettyServerBuilder.forAddress(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private ServerCall.Listener<DeltaDiscoveryRequest> open(
      ServerCall<DeltaDiscoveryRequest, byte[]> call) {
    opened.incrementAndGet();
    Stream stream = new Stream(call);
    streams.add(stream);
    call.request(1);
    return stream;
  }

  ManagedChannel channel() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .usePlaintext()
            .build();
    channels.add(channel);
    return channel;
  }

  int port() {
    return port;
  }

  /** How many streams there were. */
  int opened() {
    return opened.get();
  }

  /** The next stream that a client opens. */
  Stream nextStream() {
    return poll(streams, "a stream");
  }

  private static <T> T poll(BlockingQueue<T> queue, String what) {
    try {
      T found = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (found == null) {
        throw new AssertionError("no sign of " + what);
      }
      return found;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (ManagedChannel channel : channels) {
      channel.shutdownNow().awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
    server.shutdownNow();
    server.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** The server's end of one stream. */
  static final class Stream extends ServerCall.Listener<DeltaDiscoveryRequest> {

    private final ServerCall<DeltaDiscoveryRequest, byte[]> call;
    private final BlockingQueue<DeltaDiscoveryRequest> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<Boolean> ends = new LinkedBlockingQueue<>();
    private boolean headersSent;

    Stream(ServerCall<DeltaDiscoveryRequest, byte[]> call) {
      this.call = call;
    }

    @Override
    public void onMessage(DeltaDiscoveryRequest message) {
      requests.add(message);
      call.request(1);
    }

    @Override
    public void onCancel() {
      ends.add(true);
    }

    @Override
    public void onComplete() {
      ends.add(true);
    }

    /** The next request. */
    DeltaDiscoveryRequest next() {
      return poll(requests, "a request");
    }

    /** The next request, which has to be of a type. */
    DeltaDiscoveryRequest next(ResourceType type) {
      DeltaDiscoveryRequest request = next();
      if (!request.getTypeUrl().equals(type.url())) {
        throw new AssertionError("expected a request of type " + type + ", got " + request);
      }
      return request;
    }

    /** Whether requests are waiting that nobody has looked at. */
    int unread() {
      return requests.size();
    }

    void send(DeltaDiscoveryResponse response) {
      sendRaw(response.toByteArray());
    }

    synchronized void sendRaw(byte[] message) {
      if (!headersSent) {
        headersSent = true;
        call.sendHeaders(new Metadata());
      }
      call.sendMessage(message);
    }

    /** Has all that follows compressed. */
    synchronized void compress() {
      headersSent = true;
      call.setCompression("gzip");
      call.sendHeaders(new Metadata());
      call.setMessageCompression(true);
    }

    void end(Status status) {
      call.close(status, new Metadata());
    }

    /** Waits until the client has left. */
    void awaitEnd() {
      poll(ends, "the client's leaving");
    }

    boolean isReady() {
      return call.isReady();
    }
  }

  private static final class RawBytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
