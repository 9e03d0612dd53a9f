// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.Traffic.EchoServer;
import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.HboneServer;
import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.DevelopmentSource;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.netty.MeshTls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Pods, gateways and waypoints of one test, each on a loopback address of its own, which all begin
 * alike. Several meshes in one process stand for several pods.
 */
final class MeshLab implements AutoCloseable {

  static final TrustDomain TRUST_DOMAIN = TrustDomain.parse("cluster.local");
  private static final int HBONE_PORT = 15008;
  private static final int HIGHEST = 20;

  private final String net = freeNet();
  private final Path directory;
  private final DevelopmentCa ca = DevelopmentCa.inMemory(TRUST_DOMAIN);
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();

  MeshLab(Path directory) {
    this.directory = directory;
  }

  /** The address of a pod, or a VIP, as text. */
  String at(int host) {
    return net + host;
  }

  InetAddress address(int host) {
    try {
      return InetAddress.getByName(net + host);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes down how a part of the meshes sees the world; again, and they follow. */
  Path file(String name, World world) throws IOException {
    Path file = directory.resolve(name + ".yaml");
    world.write(file);
    return file;
  }

  /** A pod with the SDK in it. */
  Mesh pod(Path file, String who) {
    return pod(file, who, builder -> builder);
  }

  Mesh pod(Path file, String who, UnaryOperator<MeshBuilder> more) {
    return pod(file, who, more, Duration.ofMillis(100));
  }

  Mesh pod(Path file, String who, UnaryOperator<MeshBuilder> more, Duration drain) {
    MeshBuilder builder =
        Mesh.builder().localFile(file).workload(who).identity(source(who)).eventLoops(1);
    return closing(more.apply(builder.drainPeriod(drain)).start());
  }

  /** A proxy that takes tunnels: a waypoint, or a gateway. Its loops are its own single one. */
  HboneServer proxy(String who, TunnelAcceptor acceptor, int host, int... ports) {
    EventLoopGroup loop = loop();
    HboneServer server = HboneServer.builder(tls(who), acceptor).eventLoopGroup(loop).build();
    closers.push(() -> server.drain(Duration.ZERO).sync());
    for (int port : ports.length == 0 ? new int[] {HBONE_PORT} : ports) {
      server.bind(new InetSocketAddress(address(host), port)).syncUninterruptibly();
    }
    return server;
  }

  /** Opens tunnels in the name of a workload without a mesh. */
  HboneClient client(String who, EventLoopGroup loop) {
    HboneClient client = HboneClient.builder(tls(who)).eventLoopGroup(loop).build();
    closers.push(() -> client.close(Duration.ZERO).sync());
    return client;
  }

  EventLoopGroup loop() {
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    closers.push(() -> loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync());
    return loop;
  }

  /** A server without the SDK. */
  EchoServer echo(InetAddress address, int port) throws IOException {
    return closing(new EchoServer(address, port));
  }

  <T extends AutoCloseable> T closing(T resource) {
    closers.push(resource);
    return resource;
  }

  static SpiffeId id(String who) {
    String[] parts = who.split("/", -1);
    return SpiffeId.workload(TRUST_DOMAIN, parts[0], parts[2]);
  }

  private MeshTls tls(String who) {
    return closing(MeshTls.builder(source(who)).build());
  }

  private SvidSource source(String who) {
    return closing(DevelopmentSource.builder(ca, id(who)).build());
  }

  @Override
  public void close() throws Exception {
    while (!closers.isEmpty()) {
      closers.pop().close();
    }
  }

  /** Port 15008 is fixed, so that every test needs addresses that nobody else listens on. */
  private static String freeNet() {
    for (int attempt = 0; attempt < 100; attempt++) {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      String net = "127." + random.nextInt(64, 255) + "." + random.nextInt(1, 255) + ".";
      if (areFree(net)) {
        return net;
      }
    }
    throw new IllegalStateException("no loopback addresses with a free port 15008");
  }

  private static boolean areFree(String net) {
    for (int host = 1; host <= HIGHEST; host++) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.bind(new InetSocketAddress(net + host, HBONE_PORT));
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }
}
