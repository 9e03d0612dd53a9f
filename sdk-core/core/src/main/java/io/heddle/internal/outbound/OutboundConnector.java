// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.PoolStatistics;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.route.EndpointStandings;
import io.heddle.internal.route.RouteRequest;
import io.heddle.internal.route.Router;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.BaggageText;
import io.heddle.internal.telemetry.ConnectionObserver;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens byte channels to named destinations: the one way out of this process into the mesh, on
 * which every adapter stands (D22). Thread-safe; never blocks.
 */
public final class OutboundConnector {

  /** Set on a tunnel whose far end is a waypoint. */
  private static final AttributeKey<Boolean> VIA_WAYPOINT =
      AttributeKey.valueOf(OutboundConnector.class, "VIA_WAYPOINT");

  private final Supplier<MeshSnapshot> mesh;
  private final Supplier<@Nullable Workload> own;
  private final HboneClient client;
  private final EventLoopGroup loops;
  private final EndpointStandings standings;
  private final LongAdder retries = new LongAdder();
  private final Connecting.Context context;
  private volatile boolean closed;

  /**
   * A connector of one workload.
   *
   * @param mesh what the mesh knows now
   * @param own this workload's record, null while it is unknown
   * @param identity this workload's id
   * @param router decides
   * @param standings told how endpoints stand; the router's own
   * @param client opens tunnels; closed with this connector
   * @param loops carries connections that are not tunnels
   * @param lookup finds the addresses of host names
   * @param observer told of each connection
   */
  public OutboundConnector(
      Supplier<MeshSnapshot> mesh,
      Supplier<@Nullable Workload> own,
      SpiffeId identity,
      Router router,
      EndpointStandings standings,
      HboneClient client,
      EventLoopGroup loops,
      HostLookup lookup,
      ConnectionObserver observer) {
    this.mesh = mesh;
    this.own = own;
    this.standings = standings;
    this.client = client;
    this.loops = loops;
    this.context =
        new Connecting.Context(
            router,
            standings,
            lookup,
            new Opening.Context(client, observer, identity, new BaggageText(), VIA_WAYPOINT),
            retries);
  }

  /**
   * Opens a channel.
   *
   * @param destination what the application asks for
   * @param handler added to the channel's pipeline before it becomes active
   * @param preferred the event loop that the channel should live on, or null
   * @return the established channel, or a failure with a {@code RouteRefusedException}, a {@code
   *     TunnelException} or what TCP failed with
   * @throws IllegalArgumentException if the preferred loop is of another transport
   */
  public Future<DuplexChannel> open(
      Authority destination, ChannelHandler handler, @Nullable EventLoop preferred) {
    EventLoop loop = preferred == null ? loops.next() : requireNio(preferred);
    Promise<DuplexChannel> result = newPromise();
    if (closed) {
      return result.setFailure(new TunnelException.Closed("this mesh is closed"));
    }
    Workload source = own.get();
    if (source == null) {
      return result.setFailure(
          new RouteRefusedException(
              "this workload is not known to the mesh", "check that its record still exists"));
    }
    RouteRequest request =
        new RouteRequest(
            mesh.get(), source, destination, familyOf(source), ThreadLocalRandom.current());
    new Connecting(context, request, handler, loop, result).start();
    return result;
  }

  private static EventLoop requireNio(EventLoop loop) {
    if (loop instanceof IoEventLoop io && io.isIoType(NioIoHandler.class)) {
      return loop;
    }
    throw new IllegalArgumentException(
        "event loop: " + loop + " (expected: one of this mesh, which are of the NIO transport)");
  }

  /** Whether the far end of a tunnel is a waypoint. */
  public boolean isViaWaypoint(Tunnel tunnel) {
    return tunnel.hasAttr(VIA_WAYPOINT) && Boolean.TRUE.equals(tunnel.attr(VIA_WAYPOINT).get());
  }

  /**
   * A promise whose listeners are called by whoever completes it, so that it outlives the loops.
   */
  public static <T> Promise<T> newPromise() {
    return ImmediateEventExecutor.INSTANCE.newPromise();
  }

  /** TLS connections opened since the start. */
  public long connectionsOpened() {
    return client.statistics().connected();
  }

  /** TLS connections open now. */
  public long connectionsOpen() {
    PoolStatistics pool = client.statistics();
    return (long) pool.connections() + pool.leavingConnections();
  }

  /** Tunnels open now. */
  public long tunnelsOpen() {
    return client.statistics().tunnels();
  }

  /** Attempts since the start that followed one that failed at another endpoint. */
  public long retries() {
    return retries.sum();
  }

  /** Endpoints that are left out at the moment because dials have failed. */
  public long ejectedEndpoints() {
    return standings.ejected();
  }

  /** Opens nothing new from now on; tunnels may finish within the grace period. Blocks. */
  public void close(Duration grace) throws InterruptedException {
    closed = true;
    client.close(grace).await();
  }

  /** IPv4 unless the workload has only IPv6. */
  private static StandardProtocolFamily familyOf(Workload source) {
    for (InetAddress address : source.addresses()) {
      if (address instanceof Inet4Address) {
        return StandardProtocolFamily.INET;
      }
    }
    return source.addresses().isEmpty()
        ? StandardProtocolFamily.INET
        : StandardProtocolFamily.INET6;
  }
}
