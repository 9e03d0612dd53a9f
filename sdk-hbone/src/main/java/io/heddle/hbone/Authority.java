// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * The {@code :authority} of a CONNECT: what a tunnel leads to, either an address or a host name,
 * always with a port. {@link #toString()} is the form on the wire.
 */
public sealed interface Authority {

  /**
   * Reads the wire form: {@code 10.0.0.5:8080}, {@code [2001:db8::7]:8080} or {@code
   * web.shop.svc.cluster.local:80}.
   *
   * @param text the wire form
   * @return the authority; an IPv4-mapped IPv6 address becomes the IPv4 address, a name is lower
   *     case and without a trailing dot
   * @throws InvalidAuthorityException when the text is neither
   */
  static Authority parse(String text) {
    return AuthorityParser.parse(text);
  }

  /**
   * The port.
   *
   * @return 1 to 65535
   */
  int port();

  /**
   * The form on the wire; an IPv6 address is bracketed.
   *
   * @return what {@link #parse} reads
   */
  @Override
  String toString();

  /**
   * An address and a port.
   *
   * @param address the address, without a host name or scope; never an IPv4-mapped IPv6 address
   * @param port 1 to 65535
   */
  record Ip(InetAddress address, int port) implements Authority {
    /**
     * Makes an authority of an address.
     *
     * @param address the address; its host name and scope are dropped
     * @param port 1 to 65535
     */
    public Ip {
      AuthorityParser.checkPort(port);
      if (!isPlain(address)) {
        try {
          address = InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException e) {
          throw new IllegalArgumentException("address: " + address, e);
        }
      }
    }

    /** Most addresses are, and then all tunnels to one share it. */
    private static boolean isPlain(InetAddress address) {
      return address instanceof Inet4Address && address.toString().startsWith("/");
    }

    @Override
    public String toString() {
      return address instanceof Inet6Address v6
          ? "[" + Ipv6Text.of(v6) + "]:" + port
          : address.getHostAddress() + ":" + port;
    }
  }

  /**
   * A host name and a port.
   *
   * @param host a DNS name in lower case, without a trailing dot
   * @param port 1 to 65535
   */
  record Name(String host, int port) implements Authority {
    /**
     * Makes an authority of a name.
     *
     * @param host a DNS name in any case, with or without a trailing dot
     * @param port 1 to 65535
     */
    public Name {
      AuthorityParser.checkPort(port);
      String lower = host.toLowerCase(Locale.ROOT);
      host = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
      AuthorityParser.checkName(host);
    }

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }
}
