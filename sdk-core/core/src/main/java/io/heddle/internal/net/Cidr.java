// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.net;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * An IP prefix. Host bits are cleared when it is made, so two spellings of one prefix are equal.
 *
 * <p>A prefix of at least 96 bits inside {@code ::ffff:0:0/96} is the IPv4 prefix that it spells:
 * every address is compared in canonical form, so under its written form it could match nothing,
 * and a DENY would be void. A shorter IPv6 prefix such as {@code ::/0} holds no IPv4 address.
 *
 * @param network the first address of the prefix
 * @param prefixLength the number of leading bits that count
 */
public record Cidr(InetAddress network, int prefixLength) {

  private static final int MAPPED_BITS = 96;

  /** Clears the host bits. */
  public Cidr {
    network = IpAddresses.canonical(network);
    int bits = network.getAddress().length * Byte.SIZE;
    if (prefixLength < 0 || prefixLength > bits) {
      throw new IllegalArgumentException(
          "prefix length "
              + prefixLength
              + " of "
              + network.getHostAddress()
              + " (0 to "
              + bits
              + ")");
    }
    network = masked(network, prefixLength);
  }

  /**
   * Makes a prefix of its wire form.
   *
   * @throws IllegalArgumentException unless there are 4 or 16 bytes and the length fits
   */
  public static Cidr of(byte[] address, int prefixLength) {
    InetAddress network = IpAddresses.ofBytes(address);
    if (network == null) {
      throw new IllegalArgumentException("an address of " + address.length + " bytes (4 or 16)");
    }
    if (!IpAddresses.isMapped(address)) {
      return new Cidr(network, prefixLength);
    }
    if (prefixLength < MAPPED_BITS) {
      throw new IllegalArgumentException(
          "an IPv4-mapped prefix of " + prefixLength + " bits (at least " + MAPPED_BITS + ")");
    }
    return new Cidr(network, prefixLength - MAPPED_BITS);
  }

  /**
   * Reads {@code 10.0.0.0/8} or {@code 2001:db8::/32}; a bare address is a prefix of full length.
   *
   * @throws IllegalArgumentException with the reason, when the text is anything else
   */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    String literal = slash < 0 ? text : text.substring(0, slash);
    byte[] bytes = IpLiteral.parse(literal);
    if (bytes == null) {
      throw new IllegalArgumentException("not a CIDR: '" + text + "'");
    }
    int length = slash < 0 ? bytes.length * Byte.SIZE : parseLength(text, slash + 1);
    return of(bytes, length);
  }

  /**
   * Whether the address, in canonical form, lies inside. An address of the other family does not.
   */
  public boolean contains(InetAddress address) {
    byte[] mine = network.getAddress();
    byte[] other = address.getAddress();
    if (mine.length != other.length) {
      return false;
    }
    int wholeBytes = prefixLength / Byte.SIZE;
    if (!Arrays.equals(mine, 0, wholeBytes, other, 0, wholeBytes)) {
      return false;
    }
    int rest = prefixLength % Byte.SIZE;
    return rest == 0 || ((mine[wholeBytes] ^ other[wholeBytes]) & 0xff) >>> (Byte.SIZE - rest) == 0;
  }

  @Override
  public String toString() {
    return network.getHostAddress() + "/" + prefixLength;
  }

  private static InetAddress masked(InetAddress address, int prefixLength) {
    byte[] bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.max(0, Math.min(Byte.SIZE, prefixLength - i * Byte.SIZE));
      bytes[i] &= (byte) (0xff << (Byte.SIZE - kept));
    }
    InetAddress network = IpAddresses.ofBytes(bytes);
    return network == null ? address : network;
  }

  private static int parseLength(String text, int from) {
    int length = 0;
    boolean digits = from < text.length() && text.length() - from <= 3;
    for (int i = from; digits && i < text.length(); i++) {
      char c = text.charAt(i);
      digits = c >= '0' && c <= '9';
      length = length * 10 + (c - '0');
    }
    if (!digits) {
      throw new IllegalArgumentException("not a prefix length: '" + text + "'");
    }
    return length;
  }
}
