// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Plain TCP to the loopback, under whatever name: what a mesh would be without its tunnels. */
public final class TcpConnector implements ByteChannelConnector, AutoCloseable {

  private final EventLoopGroup loops;
  private final Class<? extends DuplexChannel> channelType;
  private final Queue<String> askedHosts = new ConcurrentLinkedQueue<>();
  private final Queue<DuplexChannel> opened = new ConcurrentLinkedQueue<>();

  private TcpConnector(IoHandlerFactory io, Class<? extends DuplexChannel> channelType) {
    this.loops = new MultiThreadIoEventLoopGroup(1, io);
    this.channelType = channelType;
  }

  public static TcpConnector nio() {
    return new TcpConnector(NioIoHandler.newFactory(), NioSocketChannel.class);
  }

  @Override
  public CompletionStage<DuplexChannel> connect(
      String host, @Nullable InetAddress resolved, int port, ChannelHandler first) {
    askedHosts.add(host);
    CompletableFuture<DuplexChannel> connected = new CompletableFuture<>();
    InetAddress address = resolved == null ? InetAddress.getLoopbackAddress() : resolved;
    new Bootstrap()
        .group(loops)
        .channel(channelType)
        .handler(first)
        .connect(new InetSocketAddress(address, port))
        .addListener((ChannelFuture done) -> complete(connected, done));
    return connected;
  }

  private void complete(CompletableFuture<DuplexChannel> connected, ChannelFuture done) {
    DuplexChannel channel = (DuplexChannel) done.channel();
    opened.add(channel);
    if (done.isSuccess()) {
      connected.complete(channel);
    } else {
      connected.completeExceptionally(done.cause());
    }
  }

  public EventLoopGroup loops() {
    return loops;
  }

  public Queue<String> askedHosts() {
    return askedHosts;
  }

  /** All channels ever tried, in order. */
  public Queue<DuplexChannel> opened() {
    return opened;
  }

  @Override
  public void close() throws InterruptedException {
    loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
  }
}
