// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.server;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.heddle.dev.internal.ca.CertificateAuthority.ServerIdentity;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The TLS port on loopback. It keeps its number over stops and starts, as an address that clients
 * were given has to.
 */
final class Listener {

  private static final int MAX_MESSAGE = 4 * 1024 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final List<BindableService> services;
  private final ServerInterceptor interceptor;
  private final Executor thread;
  private final @Nullable Duration connectionAge;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Deque<Server> draining = new ArrayDeque<>();
  private @Nullable Server server;
  private int port;

  Listener(
      List<BindableService> services,
      ServerInterceptor interceptor,
      Executor thread,
      @Nullable Duration connectionAge) {
    this.services = List.copyOf(services);
    this.interceptor = interceptor;
    this.thread = thread;
    this.connectionAge = connectionAge;
  }

  int port() {
    return port;
  }

  boolean isListening() {
    return server != null;
  }

  /** Listens; the port of a server that ended a moment ago may take a moment to be free. */
  void start(ServerIdentity identity) {
    if (server != null) {
      throw new IllegalStateException("the control plane is running");
    }
    SslContext tls = tls(identity);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (server == null) {
      try {
        server = build(tls).build().start();
        port = server.getPort();
      } catch (IOException e) {
        if (!(e.getCause() instanceof BindException) || System.nanoTime() - deadline > 0) {
          throw new IllegalStateException("cannot listen on 127.0.0.1:" + port, e);
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  /** Tells clients by GOAWAY to connect again; their streams go on until they have. */
  void goAway(ServerIdentity identity) {
    Server old = running();
    old.shutdown();
    draining.push(old);
    server = null;
    start(identity);
  }

  /** Ends all connections and listens no more. */
  void stop() {
    if (server != null) {
      draining.push(server);
      server = null;
    }
    while (!draining.isEmpty()) {
      end(draining.pop());
    }
  }

  void close() {
    stop();
    loops.shutdownGracefully(0, PATIENCE.toSeconds(), TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static void end(Server server) {
    server.shutdownNow();
    try {
      if (!server.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the control plane's server does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Server running() {
    if (server == null) {
      throw new IllegalStateException("the control plane is stopped");
    }
    return server;
  }

  /** Control-plane reference 1.5. */
  private NettyServerBuilder build(SslContext tls) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .bossEventLoopGroup(loops)
            .workerEventLoopGroup(loops)
            .channelType(NioServerSocketChannel.class)
            .executor(thread)
            .sslContext(tls)
            .intercept(interceptor)
            .maxInboundMessageSize(MAX_MESSAGE)
            .keepAliveTime(30, TimeUnit.SECONDS)
            .keepAliveTimeout(10, TimeUnit.SECONDS)
            .permitKeepAliveTime(15, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(false);
    services.forEach(builder::addService);
    if (connectionAge != null) {
      builder
          .maxConnectionAge(connectionAge.toMillis(), TimeUnit.MILLISECONDS)
          .maxConnectionAgeGrace(10, TimeUnit.SECONDS);
    }
    return builder;
  }

  private static SslContext tls(ServerIdentity identity) {
    try {
      // The JDK's engine: a few connections, and nothing native to release.
      return GrpcSslContexts.configure(
              SslContextBuilder.forServer(
                  identity.key().getPrivate(), identity.chain().toArray(new X509Certificate[0])),
              SslProvider.JDK)
          .build();
    } catch (SSLException e) {
      throw new IllegalStateException("cannot make the control plane's TLS", e);
    }
  }
}
