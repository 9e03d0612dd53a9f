// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.spi;

/**
 * One connection, as its telemetry sees it. Called on that connection's event loop only; after
 * {@link #closed} nothing more is said.
 */
public interface ConnectionObservation {

  /** Keeps nothing. */
  ConnectionObservation NONE =
      new ConnectionObservation() {
        @Override
        public void fromInitiator(long bytes) {}

        @Override
        public void towardsInitiator(long bytes) {}

        @Override
        public void closed(String responseFlags) {}
      };

  /**
   * Bytes passed in the direction of requests.
   *
   * @param bytes how many since the last call
   */
  void fromInitiator(long bytes);

  /**
   * Bytes passed in the direction of responses.
   *
   * @param bytes how many since the last call
   */
  void towardsInitiator(long bytes);

  /**
   * The connection has ended, or was never established.
   *
   * @param responseFlags {@code -} after a clean end, else the one label of what ended it, such as
   *     {@code DENY} or {@code CONNECT}
   */
  void closed(String responseFlags);
}
