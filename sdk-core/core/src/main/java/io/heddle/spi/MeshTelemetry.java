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
   * A listener that keeps nothing.
   *
   * @return the listener that a mesh uses when none was given
   */
  static MeshTelemetry none() {
    return labels -> ConnectionObservation.NONE;
  }
}
