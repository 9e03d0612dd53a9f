// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Dials the application on this host: bind, enter the peer, connect, in this order, so that the
 * application never sees a connection whose peer it cannot ask for.
 */
final class ApplicationDialer {

  /** HBONE reference 1.10: any TCP connect. */
  private static final int CONNECT_MILLIS = 10_000;

  private final PeerRegistry peers;

  ApplicationDialer(PeerRegistry peers) {
    this.peers = peers;
  }

  /**
   * Connects on the given loop; nothing is read from the channel until somebody asks.
   *
   * @param peer whom the application may ask for, or null if there is nobody
   */
  Future<DuplexChannel> dial(EventLoop loop, InetSocketAddress to, @Nullable AdmittedPeer peer) {
    Promise<DuplexChannel> result = loop.newPromise();
    ChannelFuture registered =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .handler(new ChannelInboundHandlerAdapter())
            .register();
    registered.addListener(
        done -> {
          if (!done.isSuccess()) {
            result.setFailure(done.cause());
          } else {
            bind(registered.channel(), to, peer, result);
          }
        });
    return result;
  }

  /** From the address that is dialled: it is one of this host's, so nothing leaves the host. */
  private void bind(
      Channel channel,
      InetSocketAddress to,
      @Nullable AdmittedPeer peer,
      Promise<DuplexChannel> result) {
    channel
        .bind(new InetSocketAddress(to.getAddress(), 0))
        .addListener(
            bound -> {
              if (!bound.isSuccess()) {
                abandon(channel);
                result.setFailure(bound.cause());
              } else {
                connect(channel, to, peer, result);
              }
            });
  }

  private void connect(
      Channel channel,
      InetSocketAddress to,
      @Nullable AdmittedPeer peer,
      Promise<DuplexChannel> result) {
    if (peer != null) {
      peers.enter(channel, to, peer);
    }
    channel
        .connect(to)
        .addListener(
            connected -> {
              if (connected.isSuccess()) {
                result.setSuccess((DuplexChannel) channel);
              } else {
                abandon(channel);
                result.setFailure(connected.cause());
              }
            });
  }

  private static void abandon(Channel channel) {
    channel.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }
}
