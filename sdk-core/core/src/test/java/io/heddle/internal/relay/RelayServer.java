// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.relay;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Accepts TCP connections and relays each to a port of the loopback, on the loop that accepted. */
final class RelayServer implements AutoCloseable {

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final BlockingQueue<RelayOutcome> outcomes = new LinkedBlockingQueue<>();
  private final Channel listener;
  private volatile int originPort;
  private volatile Relay lastRelay;
  private volatile DuplexChannel lastDownstream;
  private final CountDownLatch downstreamEnded = new CountDownLatch(1);

  RelayServer() throws InterruptedException {
    listener =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(new Dialer())
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** Where connections accepted from now on go. */
  void relayTo(int port) {
    originPort = port;
  }

  Relay lastRelay() {
    return lastRelay;
  }

  /** The relay has seen the end of what the client sends. */
  void awaitDownstreamEnd() throws InterruptedException {
    if (!downstreamEnded.await(30, TimeUnit.SECONDS)) {
      throw new AssertionError("no end of stream from the client within 30 s");
    }
  }

  /** As a channel reports a reset. */
  void failDownstream(Throwable cause) {
    lastDownstream.pipeline().fireExceptionCaught(cause);
  }

  /** The outcome of the relay that ended next. */
  RelayOutcome nextOutcome() throws InterruptedException {
    RelayOutcome outcome = outcomes.poll(30, TimeUnit.SECONDS);
    if (outcome == null) {
      throw new AssertionError("no relay ended within 30 s");
    }
    return outcome;
  }

  void coupleOutsideTheLoop() {
    Relay.couple(lastDownstream, ChannelReset.ofTcp(), lastDownstream, ChannelReset.ofTcp());
  }

  @Sharable
  private final class Dialer extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext accepted) {
      DuplexChannel downstream = (DuplexChannel) accepted.channel();
      new Bootstrap()
          .group(downstream.eventLoop())
          .channel(NioSocketChannel.class)
          .option(ChannelOption.AUTO_READ, false)
          .handler(new ChannelInboundHandlerAdapter())
          .connect(InetAddress.getLoopbackAddress(), originPort)
          .addListener((ChannelFuture dialled) -> couple(downstream, dialled));
    }
  }

  private void couple(DuplexChannel downstream, ChannelFuture dialled) {
    DuplexChannel upstream = (DuplexChannel) dialled.channel();
    Relay relay = Relay.couple(downstream, ChannelReset.ofTcp(), upstream, ChannelReset.ofTcp());
    lastDownstream = downstream;
    downstream.pipeline().addLast(new EndWatch());
    lastRelay = relay;
    relay.outcome().thenAccept(outcomes::add);
  }

  private final class EndWatch extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        downstreamEnded.countDown();
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    listener.close().sync();
    loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
  }
}
