// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.internal.transport.Transport;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.identity.netty.MeshTls;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Clock;

/** Makes client connections: TCP, TLS, SETTINGS, each within its own time. */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
public final class ClientConnector {
  /**
   * What may wait below TLS: enough for large writes, and not so much that what is encrypted has
   * left the processor's cache when it is sent.
   */
  public static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(128 << 10, 256 << 10);

  /** Many TLS records are read by one system call, and at most a mebibyte in one turn. */
  public static final RecvByteBufAllocator READ_SIZES =
      new AdaptiveRecvByteBufAllocator(64, 2048, 256 << 10).maxMessagesPerRead(4);

  private final TransportSecurity security;
  private final Environment environment;

  public ClientConnector(MeshTls tls, HboneSettings settings, Clock clock) {
    this(new MutualTls(tls), settings, clock);
  }

  public ClientConnector(TransportSecurity security, HboneSettings settings, Clock clock) {
    this.security = security;
    this.environment = Environment.of(settings, clock);
  }

  /** The tunnels that are not read to their end, whatever became of their connections. */
  public UnreadTunnels unread() {
    return environment.unread();
  }

  /**
   * Dials a target. Any thread.
   *
   * @return fails with a {@code TunnelException}
   */
  public Future<ClientConnection> connect(EventLoop loop, TunnelTarget target) {
    ConnectAttempt attempt = new ConnectAttempt(security, environment, target, loop);
    if (loop.inEventLoop()) {
      dial(attempt, target, loop);
    } else {
      loop.execute(() -> dial(attempt, target, loop));
    }
    return attempt.future();
  }

  /**
   * Makes the connection over a channel that leads to the target already, as the inner connection
   * of a double tunnel does. On the channel's event loop; the channel is closed with the
   * connection, and when it cannot be made.
   */
  public Future<ClientConnection> connectOver(Channel channel, TunnelTarget target) {
    ConnectAttempt attempt = new ConnectAttempt(security, environment, target, channel.eventLoop());
    attempt.secure(channel);
    return attempt.future();
  }

  private void dial(ConnectAttempt attempt, TunnelTarget target, EventLoop loop) {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channelFactory(Transport.of(loop).sockets())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .option(ChannelOption.RECVBUF_ALLOCATOR, READ_SIZES)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int)
                    Math.min(Integer.MAX_VALUE, environment.settings().connectTimeout().toMillis()))
            .handler(new Quiet());
    if (target.sourceAddress() != null) {
      bootstrap.localAddress(new InetSocketAddress(target.sourceAddress(), 0));
      if (Transport.of(loop) == Transport.EPOLL) {
        // The port is then chosen per destination: as many connections as ports, to each.
        bootstrap.option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true);
      }
    }
    bootstrap
        .connect(target.address())
        .addListener(
            (ChannelFuture dialled) -> {
              if (dialled.isSuccess()) {
                attempt.secure(dialled.channel());
              } else {
                attempt.fail(
                    TunnelException.Phase.TCP,
                    "(a network policy may be blocking the port)",
                    dialled.cause());
              }
            });
  }

  /** Until the attempt takes the channel over, nobody else reads its errors. */
  @ChannelHandler.Sharable
  private static final class Quiet extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.pipeline().remove(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
