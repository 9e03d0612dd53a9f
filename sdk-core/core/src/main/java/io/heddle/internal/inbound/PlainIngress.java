// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exposed ports as callers without the mesh find them, at the workload's own addresses (HBONE
 * reference 3.6). The application listens on loopback, so that nobody gets around this.
 * Thread-safe.
 */
public final class PlainIngress {

  private static final Logger LOG = LoggerFactory.getLogger(PlainIngress.class);

  private final TunnelTerminator terminator;
  private final EventLoopGroup loops;
  private final List<InetAddress> addresses;
  private final Set<InetAddress> probes;
  private final Map<Integer, List<Channel>> listening = new ConcurrentHashMap<>();
  private final ChannelGroup connections = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);

  /**
   * Ingress of one workload; nothing is served yet.
   *
   * @param terminator has what connections are judged by
   * @param addresses the workload's own
   * @param probes from where the kubelet asks, which has no identity and is let in (DESIGN D29)
   */
  public PlainIngress(
      TunnelTerminator terminator,
      EventLoopGroup loops,
      List<InetAddress> addresses,
      Set<InetAddress> probes) {
    this.terminator = terminator;
    this.loops = loops;
    this.addresses = List.copyOf(addresses);
    this.probes = Set.copyOf(probes);
  }

  /** Serves a port; an address where somebody listens already is warned of. */
  public void open(int port, Delivery.ByTcp delivery) {
    List<Channel> bound = new ArrayList<>();
    for (InetAddress address : addresses) {
      InetSocketAddress at = new InetSocketAddress(address, port);
      ChannelFuture binding = server(port, delivery).bind(at).awaitUninterruptibly();
      if (binding.isSuccess()) {
        bound.add(binding.channel());
      } else {
        LOG.warn(
            "callers in plain text are not judged at {}: {}; let the application listen on"
                + " loopback only",
            at,
            binding.cause().getMessage());
      }
    }
    listening.put(port, bound);
  }

  /** Serves a port no longer; connections go on. */
  public void close(int port) {
    List<Channel> bound = listening.remove(port);
    if (bound != null) {
      bound.forEach(channel -> channel.close().awaitUninterruptibly());
    }
  }

  /** Serves nothing any longer; connections may finish within the grace period. Blocks. */
  public void drain(Duration grace) throws InterruptedException {
    Set.copyOf(listening.keySet()).forEach(this::close);
    connections.newCloseFuture().await(grace.toMillis(), TimeUnit.MILLISECONDS);
    connections.close().await();
  }

  private ServerBootstrap server(int port, Delivery.ByTcp delivery) {
    return new ServerBootstrap()
        .group(loops)
        .channel(NioServerSocketChannel.class)
        .childOption(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                connections.add(channel);
                // The relay may take it over only once it is active.
                channel.eventLoop().execute(() -> accept(channel, port, delivery));
              }
            });
  }

  private void accept(SocketChannel channel, int port, Delivery.ByTcp delivery) {
    if (terminator.own() == null) {
      LOG.warn("a caller in plain text is refused: this workload is not known to the mesh");
      channel.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
      return;
    }
    boolean probe = probes.contains(channel.remoteAddress().getAddress());
    PlainConnection.of(terminator, channel, port, delivery, probe).start();
  }
}
