// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;

/** Plain TCP to what is not in the mesh. */
final class PlainDialer {

  /** HBONE reference 1.10: any TCP connect. */
  private static final int CONNECT_MILLIS = 10_000;

  private PlainDialer() {}

  /**
   * Connects to an address.
   *
   * @param observing added at once
   * @param application added when the connection is there, and not if it never is: most handlers
   *     can be added only once, and another attempt may follow
   */
  static Future<DuplexChannel> dial(
      EventLoop loop,
      InetSocketAddress address,
      ChannelHandler observing,
      ChannelHandler application) {
    Promise<DuplexChannel> result = loop.newPromise();
    new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(observing, new WhenActive(application, result));
              }
            })
        .connect(address)
        .addListener(
            connected -> {
              if (!connected.isSuccess()) {
                result.setFailure(connected.cause());
              }
            });
    return result;
  }

  /** Gives its place to the application's handler, which then sees the channel become active. */
  private static final class WhenActive extends ChannelInboundHandlerAdapter {

    private final ChannelHandler application;
    private final Promise<DuplexChannel> result;

    WhenActive(ChannelHandler application, Promise<DuplexChannel> result) {
      this.application = application;
      this.result = result;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.pipeline().addAfter(ctx.name(), null, application);
      ctx.fireChannelActive();
      ctx.pipeline().remove(this);
      result.setSuccess((DuplexChannel) ctx.channel());
    }
  }
}
