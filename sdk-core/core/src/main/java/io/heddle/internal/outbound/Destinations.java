// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.Authority;
import io.heddle.internal.net.IpAddresses;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Where applications want to connect to, in their own words. */
public final class Destinations {

  private Destinations() {}

  /**
   * A destination as clients give it. A literal counts as an address. A name stays a name even when
   * the client has resolved it, because the mesh knows more about names than DNS does.
   *
   * @throws IllegalArgumentException if host or port is none
   */
  public static Authority of(String host, @Nullable InetAddress resolved, int port) {
    InetAddress literal = IpAddresses.parse(host);
    if (literal != null) {
      return new Authority.Ip(literal, port);
    }
    return host.isEmpty() && resolved != null
        ? new Authority.Ip(IpAddresses.canonical(resolved), port)
        : new Authority.Name(host, port);
  }
}
