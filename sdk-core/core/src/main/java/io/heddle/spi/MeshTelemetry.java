// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.spi;

/**
 * Told of every connection that the mesh decides about. Exactly one listener is active in a mesh,
 * so that nothing is counted twice.
 *
 * <p>Methods are called on event loops, concurrently; they must neither block nor throw.
 */
public interface MeshTelemetry {

  /**
   * A decision exists for a connection, and it is about to be carried out.
   *
   * @param labels who talks to whom
   * @return told of the connection's bytes and of its end
   */
  ConnectionObservation opened(ConnectionLabels labels);

  /**
   * The host name of a workload without addresses is resolved for one connection; told each time,
   * whether the answer is cached or not.
   *
   * @param source this workload
   * @param hostname the name
   */
  default void onDemandDns(ConnectionLabels.Party source, String hostname) {}

  /**
   * A listener that keeps nothing.
   *
   * @return the listener that a mesh uses when none was given
   */
  static MeshTelemetry none() {
    return labels -> ConnectionObservation.NONE;
  }
}
