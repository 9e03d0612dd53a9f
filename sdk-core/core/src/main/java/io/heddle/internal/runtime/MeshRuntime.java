// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.identity.SvidSource;
import io.heddle.internal.admin.ConfigDump;
import io.heddle.internal.inbound.Delivery;
import io.heddle.internal.inbound.Exposures;
import io.heddle.internal.inbound.PeerRegistry;
import io.heddle.internal.inbound.PlainIngress;
import io.heddle.internal.inbound.TunnelTerminator;
import io.heddle.internal.outbound.OutboundConnector;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running mesh.
 *
 * <p>Threads: one group of event loops carries every tunnel, inbound and outbound; TLS validates
 * certificates on threads of its own; the identity source and the watch of the local file have one
 * thread each. The state of the mesh is one immutable snapshot, read without locks.
 */
public final class MeshRuntime {

  private final OwnWorkload own;
  private final SvidSource identity;
  private final OutboundConnector connector;
  private final TunnelTerminator terminator;
  private final Exposures exposures;
  private final @Nullable PlainIngress plainIngress;
  private final PeerRegistry peers;
  private final List<InetSocketAddress> hboneAddresses;
  private final ConfigDump dump;
  private final @Nullable InetSocketAddress adminAddress;
  private final Supplier<List<String>> troubles;
  private final Teardown teardown;

  MeshRuntime(
      OwnWorkload own,
      SvidSource identity,
      OutboundConnector connector,
      TunnelTerminator terminator,
      Exposures exposures,
      @Nullable PlainIngress plainIngress,
      PeerRegistry peers,
      List<InetSocketAddress> hboneAddresses,
      ConfigDump dump,
      @Nullable InetSocketAddress adminAddress,
      Supplier<List<String>> troubles,
      Teardown teardown) {
    this.own = own;
    this.identity = identity;
    this.connector = connector;
    this.terminator = terminator;
    this.exposures = exposures;
    this.plainIngress = plainIngress;
    this.peers = peers;
    this.hboneAddresses = List.copyOf(hboneAddresses);
    this.dump = dump;
    this.adminAddress = adminAddress;
    this.troubles = troubles;
    this.teardown = teardown;
  }

  /**
   * Starts a mesh; one that could not start leaves nothing behind.
   *
   * @throws StartRefusedException if it cannot start as configured
   */
  public static MeshRuntime start(MeshSettings settings) {
    return new MeshStart(settings).run();
  }

  /** Opens connections. */
  public OutboundConnector connector() {
    return connector;
  }

  /** Exposes a port; returns false when it is exposed already. */
  public boolean expose(int port, Delivery delivery) {
    boolean added = exposures.add(port, delivery);
    if (added && plainIngress != null && delivery instanceof Delivery.ByTcp byTcp) {
      plainIngress.open(port, byTcp);
    }
    return added;
  }

  /** Ends an exposure; one that has been replaced meanwhile is left alone. */
  public void conceal(int port, Delivery delivery) {
    if (exposures.remove(port, delivery) && plainIngress != null) {
      plainIngress.close(port);
    }
  }

  /** Who is behind the application's connections. */
  public PeerRegistry peers() {
    return peers;
  }

  /** The own certificate, as it rotates. */
  public SvidSource identity() {
    return identity;
  }

  /** Where tunnels are taken. */
  public List<InetSocketAddress> hboneAddresses() {
    return hboneAddresses;
  }

  /** Writes what the mesh knows. */
  public ConfigDump dump() {
    return dump;
  }

  /** Where operators are served, or null. */
  public @Nullable InetSocketAddress adminAddress() {
    return adminAddress;
  }

  /** The own record as the mesh knows it now. */
  public OwnWorkload own() {
    return own;
  }

  /** A moment's counts, in the words of the caller. */
  public <T> T statistics(StatisticsFactory<T> factory) {
    return factory.of(
        connector.connectionsOpened(),
        connector.connectionsOpen(),
        connector.tunnelsOpen(),
        terminator.connections(),
        connector.retries(),
        connector.ejectedEndpoints());
  }

  /** What keeps peers from reaching this workload now; empty while it is ready. */
  public List<String> pending() {
    return OperatorEndpoints.pending(own, identity);
  }

  /** What fails behind the scenes while the mesh goes on with what it has. */
  public List<String> troubles() {
    return troubles.get();
  }

  /** Drains and ends; idempotent. */
  public void close() {
    teardown.run();
  }

  /** Makes something of the counts. */
  @FunctionalInterface
  public interface StatisticsFactory<T> {
    /**
     * Connections opened since the start and open now; tunnels out and in, open now; retries since
     * the start; endpoints ejected now.
     */
    T of(
        long connectionsOpened,
        long connectionsOpen,
        long tunnelsOpen,
        long inboundTunnels,
        long retries,
        long ejectedEndpoints);
  }
}
