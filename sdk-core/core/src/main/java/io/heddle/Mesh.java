// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.hbone.Authority;
import io.heddle.identity.SvidSource;
import io.heddle.internal.blocking.ChannelSocketFactory;
import io.heddle.internal.inbound.AdmittedPeer;
import io.heddle.internal.inbound.Delivery;
import io.heddle.internal.outbound.Destinations;
import io.heddle.internal.runtime.FacadeAccess;
import io.heddle.internal.runtime.MeshRuntime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * This process as a member of the mesh: it has an identity, connects by name through mutually
 * authenticated tunnels, and takes tunnels for the ports that it exposes.
 *
 * <pre>{@code
 * try (Mesh mesh = Mesh.builder()
 *     .localFile(Path.of("mesh.yaml"))
 *     .workload("shop/storefront/storefront")
 *     .start()) {
 *   mesh.expose(8080);
 *   MeshConnection reviews = mesh.connect("reviews.shop", 80).toCompletableFuture().join();
 * }
 * }</pre>
 *
 * <p>Thread-safe. {@link #close} drains.
 */
public final class Mesh implements AutoCloseable {

  static {
    FacadeAccess.set(mesh -> new MeshView(((Mesh) mesh).runtime));
  }

  private final MeshRuntime runtime;

  Mesh(MeshRuntime runtime) {
    this.runtime = runtime;
  }

  /**
   * Configures a mesh.
   *
   * @return a builder; its {@code start} makes the mesh
   */
  public static MeshBuilder builder() {
    return new MeshBuilder();
  }

  /**
   * Connects to a destination by service name, host name or address.
   *
   * @param host such as {@code reviews}, {@code reviews.shop}, {@code reviews.shop.svc} or an IP
   *     literal; names of the mesh need no DNS
   * @param port the service's port, 1 to 65535
   * @return completes with an established connection, or with a {@link MeshException}
   */
  public CompletionStage<MeshConnection> connect(String host, int port) {
    Authority destination = Destinations.of(host, null, port);
    return MeshConnections.open(runtime, destination);
  }

  /**
   * Sockets that connect through the mesh, for blocking clients such as JDBC drivers and HTTP
   * clients. A refusal is a {@link java.net.ConnectException} whose cause is the {@link
   * MeshException}.
   *
   * @return a factory as thread-safe as this mesh
   */
  public SocketFactory socketFactory() {
    return new ChannelSocketFactory(
        (host, resolved, port, first) ->
            MeshConnections.openChannel(runtime, Destinations.of(host, resolved, port), first),
        MeshConnections.reset());
  }

  /**
   * Exposes a port of this workload that the application serves on loopback under the same number.
   * A port that is not exposed is dialled at the workload's own address, as the ambient node proxy
   * does, and never at loopback.
   *
   * @param port what peers ask for, 1 to 65535
   * @return ends the exposure when closed
   * @throws MeshException.InvalidConfiguration if the port is exposed already
   */
  public Exposure expose(int port) {
    return expose(port, port);
  }

  /**
   * Exposes a port that the application serves on another port of loopback.
   *
   * @param port what peers ask for, 1 to 65535
   * @param localPort where the application listens on 127.0.0.1, 1 to 65535
   * @return ends the exposure when closed
   * @throws MeshException.InvalidConfiguration if the port is exposed already
   */
  public Exposure expose(int port, int localPort) {
    InetSocketAddress application =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.require(localPort));
    return Exposures.add(runtime, port, new Delivery.ByTcp(application));
  }

  /**
   * Exposes a port whose connections are served inside this process, without a socket.
   *
   * @param port what peers ask for, 1 to 65535
   * @param handler serves each connection
   * @param executor runs the handler, one task a connection; it may block
   * @return ends the exposure when closed
   * @throws MeshException.InvalidConfiguration if the port is exposed already
   */
  public Exposure expose(int port, ConnectionHandler handler, Executor executor) {
    Objects.requireNonNull(handler, "handler");
    Objects.requireNonNull(executor, "executor");
    return Exposures.add(
        runtime, port, new Delivery.InProcess(MeshConnections.served(handler, executor)));
  }

  /**
   * Who is behind a connection that the application has accepted. The answer is found from the
   * connection, which the mesh made: no client can forge it.
   *
   * @param accepted a socket accepted by the application
   * @return empty for a connection that did not come through the mesh, and after its end
   */
  public Optional<PeerIdentity> peerOf(Socket accepted) {
    SocketAddress remote = accepted.getRemoteSocketAddress();
    SocketAddress local = accepted.getLocalSocketAddress();
    return remote == null || local == null
        ? Optional.empty()
        : identity(runtime.peers().peer(remote, local));
  }

  /**
   * The same for servers that tell only the remote address of a request.
   *
   * @param remoteAddress the remote address as the application sees it
   * @return empty for a connection that did not come through the mesh, and after its end
   */
  public Optional<PeerIdentity> peerOf(SocketAddress remoteAddress) {
    return identity(runtime.peers().peer(remoteAddress));
  }

  /**
   * This workload's own identity, as it rotates.
   *
   * @return the source; owned by this mesh unless it was given to the builder
   */
  public SvidSource identity() {
    return runtime.identity();
  }

  /**
   * Where this mesh takes tunnels.
   *
   * @return one address for each of the workload's own, with port 15008
   */
  public List<InetSocketAddress> hboneAddresses() {
    return runtime.hboneAddresses();
  }

  /**
   * How this mesh is doing: whether it can be reached, and whether its control plane and its
   * certificate authority answer.
   *
   * @return a moment's view
   */
  public MeshHealth health() {
    return MeshHealth.of(runtime.pending(), runtime.troubles());
  }

  /**
   * What the mesh has done so far.
   *
   * @return a moment's counts
   */
  public MeshStatistics statistics() {
    return runtime.statistics(MeshStatistics::new);
  }

  /**
   * What this mesh knows and holds, as JSON in the shape that {@code istioctl ztunnel-config ...
   * --file} reads: workloads, services, policies and certificates. No private key is in it.
   *
   * @return the dump; of a large mesh it is large too
   */
  public String configDump() {
    return runtime.dump().write();
  }

  /**
   * Where operators are served.
   *
   * @return empty if they are not, see {@link MeshBuilder#admin}
   */
  public Optional<InetSocketAddress> adminAddress() {
    return Optional.ofNullable(runtime.adminAddress());
  }

  /**
   * Drains and ends the mesh: no new connections, GOAWAY to peers, open connections may finish
   * within the grace period, the rest is reset. Blocks until done; idempotent.
   */
  @Override
  public void close() {
    runtime.close();
  }

  static Optional<PeerIdentity> identity(@Nullable AdmittedPeer peer) {
    return Optional.ofNullable(peer)
        .map(known -> new PeerIdentity(known.svid().id(), known.isWaypoint()));
  }
}
