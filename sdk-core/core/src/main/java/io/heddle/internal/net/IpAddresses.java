// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * IP addresses as the mesh compares them: an IPv4-mapped IPv6 address is its IPv4 address (HBONE
 * reference 1.1).
 */
public final class IpAddresses {
  private static final int IPV4_BYTES = 4;
  private static final int MAPPED_PREFIX_BYTES = 12;

  /**
   * Whether this JDK's hash of an IPv4 address is the address. No JDK promises it, so it is tried;
   * where it holds, asking for the bits makes no array.
   */
  private static final boolean HASH_IS_THE_ADDRESS = hashIsTheAddress();

  private IpAddresses() {}

  /**
   * Reads an IPv4 or IPv6 literal; no name is ever looked up.
   *
   * @return the canonical address, or null when the text is not exactly an address: brackets and
   *     zone ids are refused, as are IPv4 parts with a leading zero
   */
  public static @Nullable InetAddress parse(String literal) {
    byte[] bytes = IpLiteral.parse(literal);
    return bytes == null ? null : ofBytes(bytes);
  }

  /**
   * Makes an address of its wire form.
   *
   * @return the canonical address, or null unless there are 4 or 16 bytes
   */
  public static @Nullable InetAddress ofBytes(byte[] bytes) {
    try {
      // The JDK itself turns a mapped address into an Inet4Address here.
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException wrongLength) {
      return null;
    }
  }

  /** The same address without a mapped form, a host name or a zone. */
  public static InetAddress canonical(InetAddress address) {
    if (address instanceof Inet4Address && address.toString().startsWith("/")) {
      // It is already, so that all connections of an address share it.
      return address;
    }
    try {
      return InetAddress.getByAddress(address.getAddress());
    } catch (UnknownHostException wrongLength) {
      throw new IllegalArgumentException("not an IP address: " + address, wrongLength);
    }
  }

  /** The four bytes of an IPv4 address as one number, which is how many are kept. */
  public static int ipv4Bits(Inet4Address address) {
    return HASH_IS_THE_ADDRESS ? address.hashCode() : bits(address);
  }

  private static boolean hashIsTheAddress() {
    return Stream.of("1.2.3.4", "10.0.0.1", "127.255.0.254", "203.0.113.7", "255.128.64.32")
        .map(IpAddresses::parse)
        .allMatch(address -> address instanceof Inet4Address ip && ip.hashCode() == bits(ip));
  }

  private static int bits(Inet4Address address) {
    byte[] bytes = address.getAddress();
    return bytes[0] << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
  }

  /** The IPv4 address of {@link #ipv4Bits}. */
  public static InetAddress ofIpv4Bits(int bits) {
    byte[] bytes = {
      (byte) (bits >>> 24), (byte) (bits >>> 16), (byte) (bits >>> 8), (byte) bits,
    };
    return Objects.requireNonNull(ofBytes(bytes));
  }

  /** The loopback address of the other's family. */
  public static InetAddress loopback(InetAddress other) {
    byte[] bytes = new byte[other.getAddress().length];
    if (bytes.length == IPV4_BYTES) {
      bytes[0] = 127;
    }
    bytes[bytes.length - 1] = 1;
    return Objects.requireNonNull(ofBytes(bytes));
  }

  /** Whether 16 bytes are {@code ::ffff:0:0/96}, the mapped form of an IPv4 address. */
  static boolean isMapped(byte[] bytes) {
    if (bytes.length != 16) {
      return false;
    }
    for (int i = 0; i < MAPPED_PREFIX_BYTES; i++) {
      int expected = i < MAPPED_PREFIX_BYTES - 2 ? 0 : 0xff;
      if ((bytes[i] & 0xff) != expected) {
        return false;
      }
    }
    return true;
  }
}
