// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;

/** How a caller is told which limit of the pool he has met. */
final class Overload {

  private Overload() {}

  static TunnelException tooManyWait(TargetKey key, HboneSettings settings) {
    return new TunnelException.Overloaded(
        "%d tunnels to %s already wait for a connection (maxWaitingPerTarget); is the peer slow?"
            .formatted(settings.maxWaitingPerTarget(), key.address()));
  }

  static TunnelException waitedTooLong(TargetKey key, Rotation rotation) {
    return new TunnelException.Overloaded(
        "no tunnel to %s became free in time: %d connections carry %d, as many as the peer and %s"
            .formatted(
                key.address(),
                rotation.size(),
                rotation.active(),
                "maxStreamsPerConnection and maxConnectionsPerTarget allow"));
  }
}
