// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.net.IpAddresses;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What policies may ask about a connection. Whoever serves the connection keeps this value as long
 * as it lives, because a later verdict is on the same attributes (HBONE reference 3.7).
 *
 * @param source the far end of the TCP connection, of the tunnel's for a tunnelled one; never taken
 *     from a header
 * @param peer the identity that the peer proved, or null for plain text
 * @param destination the final target
 * @param destinationPort the final target's port, never the tunnel's 15008
 */
public record ConnectionAttributes(
    InetAddress source, @Nullable SpiffeId peer, InetAddress destination, int destinationPort) {

  /** Brings the addresses into canonical form. */
  public ConnectionAttributes {
    source = IpAddresses.canonical(source);
    destination = IpAddresses.canonical(destination);
  }
}
