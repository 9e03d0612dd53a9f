// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.internal.transport.Transport;
import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.HboneServer;
import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.hbone.rig.Await;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.netty.MeshTls;
import io.heddle.testing.CertificateDirectory;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** An Envoy, and our ends around it; everything is closed in the reverse order of its making. */
final class EnvoyRig implements AutoCloseable {
  static final SpiffeId ENVOY = SpiffeId.parse("spiffe://cluster.local/ns/shop/sa/waypoint");
  static final SpiffeId WEB = SpiffeId.parse("spiffe://cluster.local/ns/shop/sa/web");
  static final SpiffeId BATCH = SpiffeId.parse("spiffe://cluster.local/ns/shop/sa/batch");

  final TestPki pki = TestPki.create("cluster.local");
  final EventLoopGroup loops = Transport.preferred().newGroup(2, "envoy-rig");
  // Netty's epoll (4.2.18) gives up a half-closed socket whose peer is slow to read.
  private final EventLoopGroup plainLoops = Transport.NIO.newGroup(2, "envoy-rig-plain");
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  private final Path directory;
  private Envoy envoy;

  EnvoyRig(Path directory) {
    this.directory = directory;
    resources.push(() -> loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync());
    resources.push(() -> plainLoops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync());
  }

  Envoy envoy() {
    return envoy;
  }

  /** Starts Envoy with a certificate of the mesh, and one of another trust domain at hand. */
  void start(String template, Map<String, Object> ports) throws Exception {
    new CertificateDirectory(directory, pki).write(pki.svid(ENVOY));
    new CertificateDirectory(directory.resolve("foreign"), pki)
        .write(pki.svid("spiffe://elsewhere.example/ns/shop/sa/waypoint"));
    Map<String, Object> values = new HashMap<>(ports);
    values.put("certificates", directory);
    envoy = closing(Envoy.start(directory, template, values));
  }

  /** An application on plain TCP; the port is known before its first connection. */
  Channel application(Supplier<? extends ChannelHandler> handlers) {
    Channel listener = Plain.listen(plainLoops, handlers);
    resources.push(() -> listener.close().sync());
    return listener;
  }

  /** A port on which nobody listens. */
  int nobody() {
    Channel gone = Plain.listen(plainLoops, BothHalves::new);
    gone.close().syncUninterruptibly();
    return Plain.port(gone);
  }

  Channel dial(String listener, ChannelHandler handler) {
    return dial(envoy.listener(listener), handler).syncUninterruptibly().channel();
  }

  ChannelFuture dial(InetSocketAddress listener, ChannelHandler handler) {
    return Plain.dial(plainLoops, listener, handler);
  }

  HboneServer server(TunnelAcceptor acceptor) {
    MeshTls tls = tls(pki.source(WEB.toString()));
    HboneServer server = HboneServer.builder(tls, acceptor).eventLoopGroup(loops).build();
    resources.push(() -> Await.get(server.drain(Duration.ZERO)));
    return server;
  }

  HboneClient client(HboneSettings settings) {
    return client(pki.source(BATCH.toString()), settings);
  }

  HboneClient client(SettableSource source, HboneSettings settings) {
    HboneClient client =
        HboneClient.builder(tls(source)).settings(settings).eventLoopGroup(loops).build();
    resources.push(() -> Await.get(client.close(Duration.ZERO)));
    return client;
  }

  MeshTls tls(SettableSource source) {
    closing(source);
    return closing(MeshTls.builder(source).build());
  }

  TunnelTarget target(String listener, String authority) {
    return target(listener, authority, TunnelHeaders.NONE);
  }

  TunnelTarget target(String listener, String authority, TunnelHeaders headers) {
    return new TunnelTarget(
        envoy.listener(listener), List.of(ENVOY), null, Authority.parse(authority), headers);
  }

  static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** An address for a server that is dialled at any of 127.0.0.0/8. */
  static InetSocketAddress anyPortEverywhere() {
    return new InetSocketAddress("0.0.0.0", 0);
  }

  private <T extends AutoCloseable> T closing(T resource) {
    resources.push(resource);
    return resource;
  }

  @Override
  public void close() throws Exception {
    Exception failure = null;
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (Exception e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
