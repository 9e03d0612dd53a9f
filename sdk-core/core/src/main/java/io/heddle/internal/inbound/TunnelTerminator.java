// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.inbound.InboundTarget.Rejected;
import io.heddle.internal.inbound.InboundTarget.Resolved;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.BaggageText;
import io.heddle.internal.telemetry.ConnectionObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the tunnels that peers ask for, in the order of HBONE reference 3.2: whose, to where, may
 * it, can the application be reached, and only then 200.
 *
 * <p>Invariants: a connection is in the table before its first verdict; a verdict is on the
 * attributes of connect time; what is not admitted has touched no application.
 */
public final class TunnelTerminator implements TunnelAcceptor {

  private static final int UNAVAILABLE = 503;

  private final Supplier<MeshSnapshot> mesh;
  private final Supplier<@Nullable Workload> own;
  private final SpiffeId identity;
  private final Exposures exposures;
  private final ApplicationDialer dialer;
  private final ConnectionObserver observer;
  private final Duration policyHold;
  private final boolean tunnelsOverLoopback;
  private final boolean requiresWaypoint;
  private final ConnectionTable table = new ConnectionTable();
  private final BaggageText baggage = new BaggageText();

  /**
   * A terminator for one workload.
   *
   * @param mesh what the mesh knows now
   * @param own this workload's record, null while it is unknown
   * @param identity this workload's id
   * @param exposures the ports that the application has exposed
   * @param peers told who is behind each connection to the application
   * @param observer told of each connection
   * @param policyHold how long a connection waits for a policy that is named and has not arrived
   * @param tunnelsOverLoopback whether an application that wants a PROXY header listens on loopback
   *     only, so that nobody else can send it one
   * @param requiresWaypoint whether connections that do not come through a waypoint are refused
   *     where there is one
   */
  public TunnelTerminator(
      Supplier<MeshSnapshot> mesh,
      Supplier<@Nullable Workload> own,
      SpiffeId identity,
      Exposures exposures,
      PeerRegistry peers,
      ConnectionObserver observer,
      Duration policyHold,
      boolean tunnelsOverLoopback,
      boolean requiresWaypoint) {
    this.mesh = mesh;
    this.own = own;
    this.identity = identity;
    this.exposures = exposures;
    this.dialer = new ApplicationDialer(peers);
    this.observer = observer;
    this.policyHold = policyHold;
    this.tunnelsOverLoopback = tunnelsOverLoopback;
    this.requiresWaypoint = requiresWaypoint;
  }

  /** Judges every connection again: policies have changed. Any thread. */
  public void policiesChanged() {
    table.policiesChanged();
  }

  /** How many connections policies have a say in at the moment. */
  public int connections() {
    return table.size();
  }

  @Override
  public void onConnect(TunnelRequest request) {
    MeshSnapshot now = mesh.get();
    Workload workload = own.get();
    if (workload == null) {
      reject(request, new Rejected(UNAVAILABLE, "this workload is not known to the mesh"));
      return;
    }
    InboundTarget target =
        TargetResolver.resolve(
            now, workload, request.localAddress().getAddress(), request.authority());
    if (target instanceof Rejected rejected) {
      reject(request, rejected);
      return;
    }
    Resolved resolved = (Resolved) target;
    if (resolved.proxied() != null && exposures.of(resolved.port()) instanceof Delivery.InProcess) {
      reject(
          request,
          new Rejected(
              UNAVAILABLE,
              "port "
                  + resolved.port()
                  + " is served inside the process, where nothing reads a PROXY header"));
      return;
    }
    new InboundTunnel(this, request, now, workload, resolved).start();
  }

  MeshSnapshot mesh() {
    return mesh.get();
  }

  @Nullable Workload own() {
    return own.get();
  }

  boolean requiresWaypoint() {
    return requiresWaypoint;
  }

  SpiffeId identity() {
    return identity;
  }

  /** How the application gets what is for this target. */
  Delivery delivery(Resolved target) {
    Delivery exposed = exposures.of(target.port());
    if (exposed != null) {
      return exposed;
    }
    InetAddress address =
        target.proxied() != null && tunnelsOverLoopback
            ? IpAddresses.loopback(target.address())
            : target.address();
    return new Delivery.ByTcp(new InetSocketAddress(address, target.port()));
  }

  ApplicationDialer dialer() {
    return dialer;
  }

  ConnectionObserver observer() {
    return observer;
  }

  ConnectionTable table() {
    return table;
  }

  BaggageText baggage() {
    return baggage;
  }

  Duration policyHold() {
    return policyHold;
  }

  private void reject(TunnelRequest request, Rejected rejected) {
    observer.rejectedInbound(
        request.remoteAddress().toString(),
        request.localAddress() + " " + request.authority(),
        rejected.reason());
    request.refuse(rejected.status());
  }
}
