// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.identity.SpiffeId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where to open a tunnel, decided by the caller. Connections are shared by targets that agree in
 * address, expected identities and source address.
 *
 * @param address the peer's HBONE port
 * @param expectedIdentities who the peer may be; any one suffices, an empty list matches nobody
 * @param sourceAddress the local address to dial from, or null for the system's choice
 * @param authority what the tunnel leads to
 * @param headers what travels with the CONNECT
 */
public record TunnelTarget(
    InetSocketAddress address,
    List<SpiffeId> expectedIdentities,
    @Nullable InetAddress sourceAddress,
    Authority authority,
    TunnelHeaders headers) {

  /**
   * Makes a target.
   *
   * @param address the peer's HBONE port
   * @param expectedIdentities who the peer may be
   * @param sourceAddress the local address to dial from, or null
   * @param authority what the tunnel leads to
   * @param headers what travels with the CONNECT
   */
  public TunnelTarget {
    expectedIdentities = List.copyOf(expectedIdentities);
  }
}
