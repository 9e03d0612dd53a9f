// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.internal.h2.ClientConnector;
import io.heddle.hbone.internal.nested.NestedOpen;
import io.heddle.hbone.internal.pool.ConnectionPool;
import io.heddle.hbone.internal.transport.Transport;
import io.heddle.identity.netty.MeshTls;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Opens tunnels, and shares connections among them.
 *
 * <p>A client stands for one source identity, that of its {@link MeshTls}; within it, targets that
 * agree in address, expected identities and source address use the same connections. Connections
 * are made when needed, up to {@code maxConnectionsPerTarget}, the next one a little before the
 * last one is full; they carry what both ends allow at any time, and are closed after {@code
 * idleTimeout} without a tunnel. A new certificate is used by new connections; standing ones take
 * new tunnels until at most three quarters of what their certificates had left are over, and end
 * with their last tunnel.
 *
 * <p>An open fails with a {@link io.heddle.hbone.TunnelException}:
 *
 * <ul>
 *   <li>when the connection cannot be made ({@code ConnectFailed} with the phase, {@code
 *       PeerRejected}); one attempt answers all who wait for it;
 *   <li>when the peer refuses the tunnel ({@code Refused}) or cuts it ({@code Reset}, {@code
 *       ConnectionLost}); nothing is tried again then;
 *   <li>when the peer has surely not processed the request ({@code NotProcessed}), only after some
 *       attempts over other connections;
 *   <li>when {@code maxWaitingPerTarget} opens wait already, or no stream becomes free as long as a
 *       new connection might take ({@code Overloaded});
 *   <li>when this client is closed ({@code Closed}).
 * </ul>
 *
 * <p>Cancelling the future of an open gives it up. All methods may be called by any thread, and
 * none blocks.
 *
 * <pre>{@code
 * HboneClient client = HboneClient.builder(tls).build();
 * client.open(target, new ChannelInitializer<>() { ... }).addListener(opened -> ...);
 * }</pre>
 */
public final class HboneClient {

  private final @Nullable EventLoopGroup ownGroup;
  private final EventLoopGroup group;
  private final ClientConnector connector;
  private final ConnectionPool pool;

  private HboneClient(Builder builder) {
    EventLoopGroup given = builder.group;
    this.ownGroup = given == null ? Transport.preferred().newGroup(0, "heddle-hbone-client") : null;
    this.group = given == null ? Objects.requireNonNull(ownGroup) : given;
    this.connector = new ClientConnector(builder.tls, builder.settings, builder.clock);
    this.pool =
        new ConnectionPool(group, builder.settings, builder.sparePercent, connector::connect);
  }

  /**
   * Starts building.
   *
   * @param tls who this client is; stays the caller's to close, after the client
   * @return a builder with the defaults
   */
  public static Builder builder(MeshTls tls) {
    return new Builder(tls);
  }

  /**
   * Opens a tunnel. Called on an event loop of the client's group it prefers a connection on that
   * loop.
   *
   * @param target where to
   * @param initializer added to the tunnel's pipeline before it becomes active
   * @return the tunnel, once the peer has accepted it
   */
  public Future<Tunnel> open(TunnelTarget target, ChannelHandler initializer) {
    return pool.open(target, initializer, ownLoop());
  }

  /**
   * Opens a tunnel, if possible over a connection on the given event loop: bytes then need not
   * change threads. A connection that exists elsewhere is used nevertheless; a new one is made on
   * this loop.
   *
   * @param target where to
   * @param initializer added to the tunnel's pipeline before it becomes active
   * @param preferred of epoll or NIO; it may belong to another group
   * @return the tunnel, once the peer has accepted it; notified on {@code preferred}
   * @throws IllegalArgumentException when the loop has no sockets
   */
  public Future<Tunnel> open(TunnelTarget target, ChannelHandler initializer, EventLoop preferred) {
    Transport.of(preferred);
    return pool.open(target, initializer, preferred);
  }

  /**
   * Opens a tunnel through the gateway of another network: an outer tunnel, shared and pooled like
   * every other one, and in it mutual TLS and HTTP/2 with whom the gateway chooses, for this one
   * tunnel only. The tunnel's peer and baggage are those of the destination.
   *
   * <p>Fails with a {@link io.heddle.hbone.TunnelException.Nested} that tells the layer, or with
   * {@code Closed}.
   *
   * @param target the gateway, and who may answer behind it
   * @param initializer added to the inner tunnel's pipeline before it becomes active
   * @param preferred as for {@link #open(TunnelTarget, ChannelHandler, EventLoop)}
   * @return the inner tunnel, once the destination has accepted it; notified on {@code preferred}
   * @throws IllegalArgumentException when the loop has no sockets
   */
  public Future<Tunnel> openThrough(
      NestedTarget target, ChannelHandler initializer, EventLoop preferred) {
    Transport.of(preferred);
    return NestedOpen.open(
        connector,
        target,
        initializer,
        preferred,
        outer -> pool.open(target.gateway(), outer, preferred));
  }

  /**
   * Opens one tunnel, to whichever of several endpoints is reached first. The first one is tried at
   * once; the next one joins after {@code connectionAttemptDelay}, or as soon as one has failed
   * (RFC 8305). Only connections race: the CONNECT is sent over the first that stands, and its
   * answer is final; connections that come too late stay in the pool. A CONNECT that was surely not
   * processed lets the race go on.
   *
   * <p>With one target this is {@link #open}. With more, endpoints that cannot be reached are
   * reported together, as a {@code TunnelException.AllFailed}.
   *
   * @param targets the endpoints, best first
   * @param initializer added to the tunnel's pipeline before it becomes active
   * @param preferred as in {@link #open(TunnelTarget, ChannelHandler, EventLoop)}
   * @return the tunnel, once a peer has accepted it; notified on {@code preferred}
   * @throws IllegalArgumentException when there is no target, or the loop has no sockets
   */
  public Future<Tunnel> openFirst(
      List<TunnelTarget> targets, ChannelHandler initializer, EventLoop preferred) {
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("targets: none (expected: at least one)");
    }
    if (targets.size() == 1) {
      return open(targets.get(0), initializer, preferred);
    }
    Transport.of(preferred);
    return pool.openFirst(List.copyOf(targets), initializer, preferred);
  }

  /**
   * Like {@link #openFirst(List, ChannelHandler, EventLoop)}, on a loop of this client's choice.
   *
   * @param targets the endpoints, best first
   * @param initializer added to the tunnel's pipeline before it becomes active
   * @return the tunnel, once a peer has accepted it
   * @throws IllegalArgumentException when there is no target
   */
  public Future<Tunnel> openFirst(List<TunnelTarget> targets, ChannelHandler initializer) {
    return openFirst(targets, initializer, ownLoop());
  }

  /**
   * What the pool holds now, and has done so far.
   *
   * @return the numbers
   */
  public PoolStatistics statistics() {
    return pool.statistics();
  }

  /**
   * Ends the client: refuses new tunnels at once, lets open ones end within the grace period, then
   * cuts the rest. Bytes that had arrived stay readable. Event loops of its own stop when all is
   * read, or 5 s later.
   *
   * @param grace how long open tunnels may go on; zero cuts them now
   * @return succeeds when all connections are closed
   */
  public Future<Void> close(Duration grace) {
    Future<Void> closed = pool.close(grace);
    EventLoopGroup own = ownGroup;
    if (own != null) {
      closed.addListener(done -> connector.unread().end(own).addListener(read -> stop(own)));
    }
    return closed;
  }

  private static void stop(EventLoopGroup loops) {
    Future<?> unused = loops.shutdownGracefully(0, 5, TimeUnit.SECONDS);
  }

  private EventLoop ownLoop() {
    for (EventExecutor executor : group) {
      if (executor.inEventLoop() && executor instanceof EventLoop loop) {
        return loop;
      }
    }
    return group.next();
  }

  /** Builds a client. */
  public static final class Builder {

    /** A tenth of a connection is reserve enough for the time that a handshake takes. */
    private static final int DEFAULT_SPARE_PERCENT = 10;

    private final MeshTls tls;
    private HboneSettings settings = HboneSettings.defaults();
    private Clock clock = Clock.systemUTC();
    private int sparePercent = DEFAULT_SPARE_PERCENT;
    private @Nullable EventLoopGroup group;

    private Builder(MeshTls tls) {
      this.tls = tls;
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
     * Runs the client on the caller's event loops, which it does not shut down.
     *
     * @param value of epoll or NIO
     * @return this builder
     * @throws IllegalArgumentException when the loops have no sockets
     */
    public Builder eventLoopGroup(EventLoopGroup value) {
      Transport.of(value);
      this.group = value;
      return this;
    }

    /**
     * Sets how early the next connection is made: when less than this share of what one connection
     * carries is left. With 0 it is made by the first open that finds none free, which then waits
     * for the handshake.
     *
     * @param value 0 to 100, 10 unless set
     * @return this builder
     */
    public Builder spareStreamsPercent(int value) {
      if (value < 0 || value > 100) {
        throw new IllegalArgumentException("spareStreamsPercent: " + value + " (expected: 0-100)");
      }
      this.sparePercent = value;
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
     * Makes the client.
     *
     * @return a client that has dialled nobody yet
     */
    public HboneClient build() {
      return new HboneClient(this);
    }
  }
}
