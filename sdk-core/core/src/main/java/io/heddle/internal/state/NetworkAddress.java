// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.net.IpAddresses;
import java.net.InetAddress;

/**
 * An IP address within a network; the same address in two networks is two addresses.
 *
 * @param network the network, empty for the default one
 * @param address the address, in canonical form
 */
public record NetworkAddress(String network, InetAddress address) {

  /** Brings the address to canonical form. */
  public NetworkAddress {
    address = IpAddresses.canonical(address);
  }

  /**
   * Makes an address of its wire form.
   *
   * @throws IllegalArgumentException unless there are exactly 4 or 16 bytes
   */
  public static NetworkAddress ofBytes(String network, byte[] bytes) {
    InetAddress address = IpAddresses.ofBytes(bytes);
    if (address == null) {
      throw new IllegalArgumentException("an address of " + bytes.length + " bytes (4 or 16)");
    }
    return new NetworkAddress(network, address);
  }

  /**
   * Reads {@code network/ip}; the default network leaves the slash at the start.
   *
   * @throws IllegalArgumentException with the reason, when the text is anything else
   */
  public static NetworkAddress parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException(
          "'" + text + "' has no network (expected network/ip, or /ip for the default network)");
    }
    String literal = text.substring(slash + 1);
    InetAddress address = IpAddresses.parse(literal);
    if (address == null) {
      throw new IllegalArgumentException("'" + literal + "' is not an IP address");
    }
    return new NetworkAddress(text.substring(0, slash), address);
  }

  @Override
  public String toString() {
    return network + "/" + address.getHostAddress();
  }
}
