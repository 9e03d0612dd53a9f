// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import io.heddle.hbone.internal.transport.Transport;
import io.heddle.hbone.rig.Await;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The network between clients and one server: TCP to TCP, and not reliable. */
final class FaultyRelay implements AutoCloseable {
  private final Channel listener;
  private final InetSocketAddress destination;
  private final Transport transport;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final Set<Integer> harmedClients = ConcurrentHashMap.newKeySet();
  private final Set<Integer> harmedServers = ConcurrentHashMap.newKeySet();
  private volatile long troubleNanos = System.nanoTime();
  private volatile boolean troubled;

  FaultyRelay(EventLoopGroup loops, InetSocketAddress destination) {
    this.destination = destination;
    transport = Transport.of(loops);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channelFactory(transport.serverSockets())
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel client) {
                    accept(client);
                  }
                });
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ChannelFuture bound = bootstrap.bind(any);
    Await.get(bound);
    listener = (ServerChannel) bound.channel();
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  private void accept(Channel client) {
    new Bootstrap()
        .group(client.eventLoop())
        .channelFactory(transport.sockets())
        .option(ChannelOption.AUTO_READ, false)
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(destination)
        .addListener(
            (ChannelFuture dialled) -> {
              if (dialled.isSuccess()) {
                new Link(client, dialled.channel()).start();
              } else {
                client.close();
              }
            });
  }

  /** Cuts one connection, if there is any: with TCP's reset or with its end. */
  boolean cut(Random random, boolean reset) {
    return onOne(random, link -> link.cut(reset));
  }

  /** Lets nothing through for a while. */
  boolean stall(Random random, int millis) {
    return onOne(random, link -> link.stall(millis));
  }

  private boolean onOne(Random random, Consumer<Link> action) {
    List<Link> candidates = new ArrayList<>(links);
    if (candidates.isEmpty()) {
      return false;
    }
    Link link = candidates.get(random.nextInt(candidates.size()));
    link.client.eventLoop().execute(() -> action.accept(link));
    return true;
  }

  /** Something happened that opens may fail by. */
  void trouble() {
    troubleNanos = System.nanoTime();
    troubled = true;
  }

  /** Whether an open that began then may have been hit. */
  boolean troubledSince(long nanos) {
    return troubled && troubleNanos - nanos > -TimeUnit.SECONDS.toNanos(2);
  }

  boolean harmedClient(int port) {
    return harmedClients.contains(port);
  }

  boolean harmedServer(int port) {
    return harmedServers.contains(port);
  }

  @Override
  public void close() {
    Await.get(listener.close());
    for (Link link : links) {
      link.client.eventLoop().execute(() -> link.cut(false));
    }
    Await.until("no link is left", links::isEmpty);
  }

  /** One connection of a client and that to the server, on the same loop. */
  private final class Link {
    private final Channel client;
    private final Channel server;
    private boolean stalled;

    Link(Channel client, Channel server) {
      this.client = client;
      this.server = server;
    }

    void start() {
      links.add(this);
      client.closeFuture().addListener(closed -> links.remove(this));
      client.pipeline().addLast(new Half(this, server));
      server.pipeline().addLast(new Half(this, client));
      client.read();
      server.read();
      if (!client.isActive()) {
        server.close();
      }
    }

    void cut(boolean reset) {
      trouble();
      harmedClients.add(((InetSocketAddress) client.remoteAddress()).getPort());
      harmedServers.add(((InetSocketAddress) server.localAddress()).getPort());
      if (reset) {
        client.config().setOption(ChannelOption.SO_LINGER, 0);
        server.config().setOption(ChannelOption.SO_LINGER, 0);
      }
      client.close();
      server.close();
    }

    void stall(int millis) {
      stalled = true;
      client
          .eventLoop()
          .schedule(
              () -> {
                stalled = false;
                client.read();
                server.read();
              },
              millis,
              TimeUnit.MILLISECONDS);
    }
  }

  /** Copies one direction: reads on when what it has read is on its way. */
  private static final class Half extends ChannelInboundHandlerAdapter {
    private final Link link;
    private final Channel target;

    Half(Link link, Channel target) {
      this.link = link;
      this.target = target;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      target.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      target.flush();
      readOn(ctx);
    }

    private void readOn(ChannelHandlerContext ctx) {
      if (!link.stalled && target.isWritable()) {
        ctx.read();
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      if (!link.stalled && ctx.channel().isWritable()) {
        target.read();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      target.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
