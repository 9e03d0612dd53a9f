// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.identity.PeerSvid;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that a server has accepted, from their first byte on. Channels in the handshake
 * are counted too: a drain closes them.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
public final class ServerConnections extends ChannelInitializer<SocketChannel> {
  private static final Logger logger = LoggerFactory.getLogger(ServerConnections.class);

  private static final String SHUTDOWN = "this server is shutting down";

  private final TransportSecurity security;
  private final Environment environment;
  private final TunnelAcceptor acceptor;
  private final Set<Channel> handshaking = ConcurrentHashMap.newKeySet();
  private final Set<ServerTunnels> open = ConcurrentHashMap.newKeySet();
  private final Promise<Void> drained = GlobalEventExecutor.INSTANCE.newPromise();
  private volatile boolean draining;

  public ServerConnections(
      TransportSecurity security, HboneSettings settings, Clock clock, TunnelAcceptor acceptor) {
    this.security = security;
    this.environment = Environment.of(settings, clock);
    this.acceptor = acceptor;
  }

  /** How many connections there are, handshakes included. */
  public int size() {
    return handshaking.size() + open.size();
  }

  /** The tunnels that are not read to their end, whatever became of their connections. */
  public UnreadTunnels unread() {
    return environment.unread();
  }

  /**
   * Ends handshakes now, other connections after their last tunnel, and all of them after the grace
   * period.
   *
   * @param timer where the grace period is counted
   * @return succeeds when no connection is left
   */
  public Future<Void> drain(EventExecutor timer, Duration grace) {
    draining = true;
    handshaking.forEach(Channel::close);
    open.forEach(connection -> connection.eventLoop().execute(() -> connection.drain(SHUTDOWN)));
    Future<?> end = timer.schedule(this::cut, grace.toNanos(), TimeUnit.NANOSECONDS);
    drained.addListener(done -> end.cancel(false));
    checkDrained();
    return drained;
  }

  private void cut() {
    open.forEach(connection -> connection.eventLoop().execute(connection::cut));
  }

  private void checkDrained() {
    if (draining && handshaking.isEmpty() && open.isEmpty()) {
      drained.trySuccess(null);
    }
  }

  @Override
  protected void initChannel(SocketChannel channel) {
    InetSocketAddress remote = channel.remoteAddress();
    InetSocketAddress local = channel.localAddress();
    if (remote == null || local == null || draining) {
      // A peer that reset right after connecting has no address any more.
      channel.close();
      return;
    }
    handshaking.add(channel);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              handshaking.remove(channel);
              checkDrained();
            });
    HandshakeGate gate = new HandshakeGate();
    channel.pipeline().addLast("gate", gate);
    ChannelHandlerContext context = channel.pipeline().context(gate);
    Future<?> deadline =
        channel
            .eventLoop()
            .schedule(
                () -> channel.close(),
                environment.settings().tlsTimeout().toNanos(),
                TimeUnit.NANOSECONDS);
    security
        .secureServer(channel.pipeline())
        .addListener(
            (Future<PeerSvid> secured) -> {
              deadline.cancel(false);
              if (secured.isSuccess()) {
                start(channel, context, secured.getNow(), remote, local);
              } else {
                refuse(channel, remote, secured.cause());
              }
            });
  }

  private void start(
      SocketChannel channel,
      ChannelHandlerContext gate,
      PeerSvid peer,
      InetSocketAddress remote,
      InetSocketAddress local) {
    if (gate.isRemoved() || !channel.isActive()) {
      channel.close();
      return;
    }
    Entry entry = new Entry();
    ServerTunnels connection =
        new ServerTunnels(environment, peer, remote, local, channel.eventLoop(), acceptor, entry);
    entry.connection = connection;
    open.add(connection);
    handshaking.remove(channel);
    HandshakeGate.open(gate, connection);
    if (draining) {
      connection.drain(SHUTDOWN);
    }
  }

  private static void refuse(SocketChannel channel, InetSocketAddress remote, Throwable cause) {
    if (channel.isActive()) {
      logger.info("refused a connection from {}: {}", remote, cause.toString());
    } else {
      // Port scans and health checks: they leave before the handshake is done.
      logger.debug("connection from {} ended in its handshake: {}", remote, cause.toString());
    }
    channel.close();
  }

  /** Removes a connection from the set when it is gone. */
  private final class Entry implements Runnable {
    private volatile @Nullable ServerTunnels connection;

    @Override
    public void run() {
      ServerTunnels gone = connection;
      if (gone != null) {
        open.remove(gone);
        checkDrained();
      }
    }
  }
}
