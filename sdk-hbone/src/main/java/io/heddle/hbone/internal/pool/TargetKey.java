// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.identity.SpiffeId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tunnels share a connection only when all of this is equal. The source identity is not in here: a
 * pool belongs to one client, and a client to one identity. The source address is, because servers
 * decide by it; the source port is not, or nothing would ever be shared.
 */
record TargetKey(
    InetSocketAddress address, Set<SpiffeId> expected, @Nullable InetAddress sourceAddress) {

  static TargetKey of(TunnelTarget target) {
    return new TargetKey(
        target.address(), Set.copyOf(target.expectedIdentities()), target.sourceAddress());
  }
}
