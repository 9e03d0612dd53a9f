// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import io.heddle.hbone.internal.transport.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** Plain TCP: the application's ends beyond Envoy. */
final class Plain {

  private Plain() {}

  /** An application that gives each of its connections a handler. */
  static Channel listen(EventLoopGroup group, Supplier<? extends ChannelHandler> handlers) {
    return new ServerBootstrap()
        .group(group)
        .channelFactory(Transport.of(group).serverSockets())
        .option(ChannelOption.SO_BACKLOG, 1024)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(initializer(handlers))
        .bind(InetAddress.getLoopbackAddress(), 0)
        .syncUninterruptibly()
        .channel();
  }

  static ChannelFuture dial(
      EventLoopGroup group, InetSocketAddress address, ChannelHandler handler) {
    return new Bootstrap()
        .group(group)
        .channelFactory(Transport.of(group).sockets())
        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(initializer(() -> handler))
        .connect(address);
  }

  /** Ends with a reset, not in order. */
  static void abort(Channel channel) {
    channel.config().setOption(ChannelOption.SO_LINGER, 0);
    channel.close();
  }

  static int port(Channel listener) {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  private static ChannelInitializer<SocketChannel> initializer(
      Supplier<? extends ChannelHandler> handlers) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        channel.pipeline().addLast(new BothHalves(), handlers.get());
      }
    };
  }
}
