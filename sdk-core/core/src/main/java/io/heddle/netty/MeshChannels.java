// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.netty;

import io.heddle.Exposure;
import io.heddle.Mesh;
import io.heddle.MeshException;
import io.heddle.PeerIdentity;
import io.heddle.hbone.Authority;
import io.heddle.internal.inbound.Delivery;
import io.heddle.internal.outbound.Destinations;
import io.heddle.internal.outbound.OutboundConnector;
import io.heddle.internal.runtime.FacadeAccess;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connections of a mesh as Netty channels of {@code ByteBuf}s, without a copy and without a thread
 * in between. A channel lives on the event loop of the connection that carries it.
 *
 * <p>Thread-safe; handlers are called on event loops and must not block.
 */
public final class MeshChannels {

  private final FacadeAccess.View<Exposure> mesh;

  private MeshChannels(FacadeAccess.View<Exposure> mesh) {
    this.mesh = mesh;
  }

  /**
   * The Netty side of a mesh.
   *
   * @param mesh a running mesh
   * @return its channels
   */
  public static MeshChannels of(Mesh mesh) {
    return new MeshChannels(FacadeAccess.view(mesh));
  }

  /**
   * Connects to a destination by service name, host name or address.
   *
   * @param host as for {@link Mesh#connect}
   * @param port the service's port, 1 to 65535
   * @param handler added to the channel's pipeline before it becomes active
   * @return the established channel, or a failure with a {@link MeshException}
   */
  public Future<DuplexChannel> connect(String host, int port, ChannelHandler handler) {
    return open(host, port, handler, null);
  }

  /**
   * The same, preferably on the caller's event loop: a channel there needs no change of threads.
   *
   * @param host as for {@link Mesh#connect}
   * @param port the service's port, 1 to 65535
   * @param handler added to the channel's pipeline before it becomes active
   * @param preferred an event loop of the mesh, such as that of another of its channels
   * @return the established channel, or a failure with a {@link MeshException}
   */
  public Future<DuplexChannel> connect(
      String host, int port, ChannelHandler handler, EventLoop preferred) {
    return open(host, port, handler, preferred);
  }

  /**
   * Exposes a port whose tunnels are served by Netty handlers of this process.
   *
   * @param port what peers ask for, 1 to 65535
   * @param handlers makes the handler of each tunnel, knowing its peer; called on its event loop
   * @return ends the exposure when closed
   * @throws MeshException.InvalidConfiguration if the port is exposed already
   */
  public Exposure expose(int port, Function<PeerIdentity, ChannelHandler> handlers) {
    return mesh.expose(
        port,
        new Delivery.InProcess(
            peer -> handlers.apply(new PeerIdentity(peer.svid().id(), peer.isWaypoint()))));
  }

  private Future<DuplexChannel> open(
      String host, int port, ChannelHandler handler, @Nullable EventLoop preferred) {
    Authority destination = Destinations.of(host, null, port);
    Future<DuplexChannel> opened = mesh.connector().open(destination, handler, preferred);
    Promise<DuplexChannel> result = OutboundConnector.newPromise();
    opened.addListener(
        (Future<DuplexChannel> done) -> {
          if (done.isSuccess()) {
            result.setSuccess(done.getNow());
          } else {
            result.setFailure(mesh.failure("connect to " + destination, done.cause()));
          }
        });
    return result;
  }
}
