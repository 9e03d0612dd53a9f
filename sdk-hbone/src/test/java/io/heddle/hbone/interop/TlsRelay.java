// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import io.heddle.hbone.internal.transport.Transport;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Relay;
import io.heddle.hbone.rig.TunnelRig;
import io.heddle.identity.PeerAuthorizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Lends the client's certificate of a rig to a program that has none: plain TCP in, mutual TLS to
 * the rig's server out, one connection for one.
 */
final class TlsRelay implements AutoCloseable {
  private final TunnelRig rig;
  private final Channel listener;

  TlsRelay(TunnelRig rig) {
    this.rig = rig;
    this.listener =
        new ServerBootstrap()
            .group(rig.group)
            .channelFactory(Transport.of(rig.group).serverSockets())
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel accepted) {
                    lead(accepted);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  private void lead(Channel accepted) {
    Channel upstream =
        new Bootstrap()
            .group(accepted.eventLoop())
            .channelFactory(Transport.of(accepted.eventLoop()).sockets())
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(new Relay(accepted))
            .connect(rig.address)
            .channel();
    accepted.pipeline().addLast(new Relay(upstream));
    rig.clientTls
        .addClient(upstream.pipeline(), PeerAuthorizer.exactly(TunnelRig.SERVER))
        .addListener(
            secured -> {
              if (secured.isSuccess()) {
                accepted.config().setAutoRead(true);
              } else {
                accepted.close();
              }
            });
  }

  @Override
  public void close() {
    Await.get(listener.close());
  }
}
