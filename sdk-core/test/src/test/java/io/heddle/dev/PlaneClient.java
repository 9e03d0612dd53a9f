// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.grpc.CallCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A connection to a control plane as any gRPC client makes it. */
public final class PlaneClient implements AutoCloseable {

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  public final ManagedChannel channel;

  PlaneClient(LocalControlPlane plane) throws SSLException {
    this(plane.address(), plane.rootCertificates());
  }

  /** A connection to the control plane at an address, trusting its roots. */
  public PlaneClient(String address, String rootsPem) throws SSLException {
    URI uri = URI.create(address);
    channel =
        NettyChannelBuilder.forAddress(uri.getHost(), uri.getPort())
            .eventLoopGroup(loop)
            .channelType(NioSocketChannel.class)
            .directExecutor()
            .sslContext(
                GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                    .trustManager(
                        new ByteArrayInputStream(rootsPem.getBytes(StandardCharsets.UTF_8)))
                    .build())
            .build();
  }

  /** What a client shows: a token, and the cluster that it belongs to. */
  public static CallCredentials credentials(@Nullable String token, @Nullable String cluster) {
    return new CallCredentials() {
      @Override
      public void applyRequestMetadata(
          RequestInfo request, Executor executor, MetadataApplier applier) {
        Metadata headers = new Metadata();
        put(headers, "authorization", token == null ? null : "Bearer " + token);
        put(headers, "clusterid", cluster);
        applier.apply(headers);
      }
    };
  }

  private static void put(Metadata headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    }
  }

  @Override
  public void close() throws Exception {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
  }
}
