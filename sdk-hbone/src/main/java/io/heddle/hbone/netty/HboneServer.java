// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.internal.h2.ClientConnector;
import io.heddle.hbone.internal.h2.MutualTls;
import io.heddle.hbone.internal.h2.ServerConnections;
import io.heddle.hbone.internal.h2.TransportSecurity;
import io.heddle.hbone.internal.transport.Transport;
import io.heddle.identity.netty.MeshTls;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Accepts HBONE connections, and hands their CONNECTs to a {@link TunnelAcceptor}. It decides
 * nothing about them but that they are well-formed and that the peer's identity is verified. A
 * connection gets a GOAWAY when one of its two certificates ends, or at {@code maxConnectionAge}.
 *
 * <p>Every method may be called on any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The futures returned tell what the inner ones do.
public final class HboneServer {
  private final EventLoopGroup group;
  private final boolean ownsGroup;
  private final ServerConnections connections;
  private final List<Channel> listeners = new ArrayList<>();
  private @Nullable Promise<Void> drained;

  private HboneServer(Builder builder) {
    EventLoopGroup given = builder.group;
    ownsGroup = given == null;
    group = given != null ? given : Transport.preferred().newGroup(0, "heddle-hbone-server");
    connections =
        new ServerConnections(builder.security, builder.settings, builder.clock, builder.acceptor);
  }

  /**
   * Starts building.
   *
   * @param tls the server's identity and whom it accepts; stays the caller's to close
   * @param acceptor who decides about CONNECTs
   * @return a builder with the defaults
   */
  public static Builder builder(MeshTls tls, TunnelAcceptor acceptor) {
    return builder(new MutualTls(tls), acceptor);
  }

  static Builder builder(TransportSecurity security, TunnelAcceptor acceptor) {
    return new Builder(security, acceptor);
  }

  /**
   * Listens on an address; may be called for several.
   *
   * @param address the address; port 0 takes a free one
   * @return the address with the real port, or why it could not be bound
   * @throws IllegalStateException after {@link #drain}
   */
  public Future<InetSocketAddress> bind(InetSocketAddress address) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channelFactory(Transport.of(group).serverSockets())
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, ClientConnector.WATER_MARK)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, ClientConnector.READ_SIZES)
            .childHandler(connections);
    Promise<InetSocketAddress> bound = GlobalEventExecutor.INSTANCE.newPromise();
    synchronized (listeners) {
      if (drained != null) {
        throw new IllegalStateException("the server is drained");
      }
      ChannelFuture binding = bootstrap.bind(address);
      listeners.add(binding.channel());
      binding.addListener(
          done -> {
            if (done.isSuccess()) {
              bound.setSuccess((InetSocketAddress) binding.channel().localAddress());
            } else {
              bound.setFailure(done.cause());
            }
          });
    }
    return bound;
  }

  /**
   * How many connections are open, those in their handshake included.
   *
   * @return the number
   */
  public int connections() {
    return connections.size();
  }

  /**
   * Ends the server in order: stops listening, tells every peer by GOAWAY to open no more tunnels,
   * lets the open ones run, and resets what is left after the grace period. Loops that the server
   * made for itself end too, when what had arrived is read or 5 s later.
   *
   * @param grace how long tunnels may run on
   * @return succeeds when no connection is left; the same future when called again
   */
  public Future<Void> drain(Duration grace) {
    Promise<Void> result;
    List<Channel> listening;
    synchronized (listeners) {
      if (drained != null) {
        return drained;
      }
      result = GlobalEventExecutor.INSTANCE.newPromise();
      drained = result;
      listening = List.copyOf(listeners);
    }
    closeAll(listening, () -> drainConnections(grace, result));
    return result;
  }

  private void drainConnections(Duration grace, Promise<Void> result) {
    connections
        .drain(group.next(), grace)
        .addListener(
            done -> {
              if (ownsGroup) {
                stopLoops(result);
              } else {
                result.trySuccess(null);
              }
            });
  }

  private void stopLoops(Promise<Void> result) {
    connections
        .unread()
        .end(group)
        .addListener(
            read -> {
              group.shutdownGracefully(0, 5, TimeUnit.SECONDS);
              group.terminationFuture().addListener(ended -> result.trySuccess(null));
            });
  }

  /** The listener goes first: a connection accepted after the GOAWAYs would never get one. */
  private static void closeAll(List<Channel> channels, Runnable then) {
    if (channels.isEmpty()) {
      then.run();
      return;
    }
    channels
        .get(0)
        .close()
        .addListener(closed -> closeAll(channels.subList(1, channels.size()), then));
  }

  /** Makes a server. */
  public static final class Builder {
    private final TransportSecurity security;
    private final TunnelAcceptor acceptor;
    private HboneSettings settings = HboneSettings.defaults();
    private Clock clock = Clock.systemUTC();
    private @Nullable EventLoopGroup group;

    private Builder(TransportSecurity security, TunnelAcceptor acceptor) {
      this.security = security;
      this.acceptor = acceptor;
    }

    /**
     * Sets the numbers.
     *
     * @param value the settings
     * @return this builder
     */
    public Builder settings(HboneSettings value) {
      this.settings = value;
      return this;
    }

    /**
     * Sets the event loops, which stay the caller's; without this the server makes its own, on
     * daemon threads.
     *
     * @param value loops of Netty's epoll or NIO transport
     * @return this builder
     */
    public Builder eventLoopGroup(EventLoopGroup value) {
      this.group = value;
      return this;
    }

    /**
     * Sets the clock that the ends of certificates are compared with.
     *
     * @param value the system's unless set
     * @return this builder
     */
    public Builder clock(Clock value) {
      this.clock = value;
      return this;
    }

    /**
     * Makes the server; it listens nowhere yet.
     *
     * @return the server
     */
    public HboneServer build() {
      return new HboneServer(this);
    }
  }
}
