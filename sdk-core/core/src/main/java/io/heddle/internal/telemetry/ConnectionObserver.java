// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.telemetry;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.state.Workload;
import io.heddle.spi.ConnectionLabels;
import io.heddle.spi.MeshTelemetry;
import java.util.function.LongSupplier;

/** Makes an observation for every connection of a mesh. Thread-safe. */
public final class ConnectionObserver {

  private final MeshTelemetry telemetry;
  private final LongSupplier nanoTime;
  private final SharedLabels labels = new SharedLabels();

  /**
   * Observes for one listener.
   *
   * @param telemetry the one listener of the mesh
   * @param nanoTime monotonic time in nanoseconds
   */
  public ConnectionObserver(MeshTelemetry telemetry, LongSupplier nanoTime) {
    this.telemetry = telemetry;
    this.nanoTime = nanoTime;
  }

  /** Starts to observe a connection that is about to be established. */
  public ObservedConnection open(ConnectionFacts facts) {
    return open(facts, now());
  }

  /**
   * Starts to observe a connection whose facts became known late.
   *
   * @param begun {@link #now} when its establishment began
   */
  public ObservedConnection open(ConnectionFacts facts, long begun) {
    ConnectionLabels shared = labels.of(facts.labels());
    return new ObservedConnection(facts.with(shared), telemetry.opened(shared), nanoTime, begun);
  }

  /** The clock that connections are measured by, in nanoseconds. */
  public long now() {
    return nanoTime.getAsLong();
  }

  /** A workload's host name is about to be resolved for one connection. */
  public void onDemandDns(Workload source, SpiffeId identity, String hostname) {
    telemetry.onDemandDns(WorkloadParty.of(source).withPrincipal(identity.toString()), hostname);
  }

  /** Logs an inbound connection that was refused before it could be attributed. */
  public void rejectedInbound(String source, String destination, String error) {
    AccessLog.rejected(source, destination, "inbound", error);
  }

  /** Logs an outbound connection that was refused before it could be attributed. */
  public void rejectedOutbound(String source, String destination, String error) {
    AccessLog.rejected(source, destination, "outbound", error);
  }
}
