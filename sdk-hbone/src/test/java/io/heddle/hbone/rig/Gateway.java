// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.rig;

import io.heddle.hbone.internal.transport.Transport;
import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.hbone.netty.TunnelRequest;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * Leads every tunnel to one TCP address, as an east-west gateway leads to a workload's 15008.
 *
 * @param watchers each sees what comes to its tunnel
 */
public record Gateway(InetSocketAddress destination, Supplier<ChannelHandler> watchers)
    implements TunnelAcceptor {

  public Gateway(InetSocketAddress destination) {
    this(destination, ChannelInboundHandlerAdapter::new);
  }

  @Override
  public void onConnect(TunnelRequest request) {
    new Bootstrap()
        .group(request.eventLoop())
        .channelFactory(Transport.of(request.eventLoop()).sockets())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .option(ChannelOption.AUTO_READ, false)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(destination)
        .addListener(
            (ChannelFuture dialled) -> {
              if (!dialled.isSuccess()) {
                request.refuse(503);
                return;
              }
              Channel upstream = dialled.channel();
              Channel tunnel =
                  request.accept(
                      null,
                      new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                          channel.pipeline().addLast(watchers.get(), new Relay(upstream));
                        }
                      });
              upstream.pipeline().addLast(new Relay(tunnel));
              upstream.config().setAutoRead(true);
            });
  }
}
