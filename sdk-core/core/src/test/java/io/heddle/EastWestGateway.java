// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.internal.relay.ChannelReset;
import io.heddle.internal.relay.Relay;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The gateway between two networks: ends the outer tunnel, and pipes what is inside to the HBONE
 * port of an endpoint of the service that the authority names.
 */
final class EastWestGateway implements TunnelAcceptor {

  private final Map<String, InetSocketAddress> endpoints;
  private final BlockingQueue<TunnelRequest> asked = new LinkedBlockingQueue<>();

  EastWestGateway(Map<String, InetSocketAddress> endpoints) {
    this.endpoints = endpoints;
  }

  /** The CONNECTs in their order. */
  BlockingQueue<TunnelRequest> asked() {
    return asked;
  }

  @Override
  public void onConnect(TunnelRequest request) {
    asked.add(request);
    InetSocketAddress endpoint = endpoints.get(request.authority().toString());
    if (endpoint == null) {
      request.refuse(404);
      return;
    }
    new Bootstrap()
        .group(request.eventLoop())
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.AUTO_READ, false)
        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .handler(new ChannelInboundHandlerAdapter())
        .connect(endpoint)
        .addListener(
            (ChannelFuture dialled) -> {
              if (dialled.isSuccess()) {
                couple(accept(request), (DuplexChannel) dialled.channel(), ChannelReset.ofTcp());
              } else {
                request.refuse(503);
              }
            });
  }

  /** Accepts a tunnel that reads nothing before it is coupled. */
  static Tunnel accept(TunnelRequest request) {
    return request.accept(null, unread());
  }

  static ChannelInitializer<Channel> unread() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.config().setAutoRead(false);
      }
    };
  }

  static void couple(Tunnel downstream, DuplexChannel upstream, ChannelReset resetUpstream) {
    Relay.couple(downstream, EastWestGateway::reset, upstream, resetUpstream);
  }

  static void reset(DuplexChannel tunnel) {
    ((Tunnel) tunnel).reset().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }
}
