// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** The grammar of {@link Authority}, stricter than a URI's: no user, no path, no default port. */
final class AuthorityParser {
  private static final int LONGEST_NAME = 253;
  private static final int LONGEST_LABEL = 63;
  private static final int LONGEST = LONGEST_NAME + ".:65535".length();

  private AuthorityParser() {}

  static Authority parse(String text) {
    if (text.length() > LONGEST) {
      throw new InvalidAuthorityException(text, "longer than " + LONGEST + " characters");
    }
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw new InvalidAuthorityException(text, "needs a host and a port");
    }
    int port = port(text, colon + 1);
    if (text.charAt(0) == '[') {
      return new Authority.Ip(ipv6(text, colon), port);
    }
    if (text.indexOf(':') != colon) {
      throw new InvalidAuthorityException(text, "an IPv6 address needs brackets");
    }
    String host = text.substring(0, colon);
    if (lastLabelIsNumeric(host)) {
      return new Authority.Ip(ipv4(text, host), port);
    }
    try {
      return new Authority.Name(host, port);
    } catch (IllegalArgumentException e) {
      throw new InvalidAuthorityException(text, String.valueOf(e.getMessage()));
    }
  }

  static void checkPort(int port) {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
    }
  }

  static void checkName(String host) {
    String wrong = wrongName(host);
    if (wrong != null) {
      throw new IllegalArgumentException("host name " + wrong);
    }
  }

  private static @Nullable String wrongName(String host) {
    if (host.isEmpty() || host.length() > LONGEST_NAME) {
      return "has " + host.length() + " characters (expected: 1 to " + LONGEST_NAME + ")";
    }
    if (lastLabelIsNumeric(host)) {
      return "ends in a number, like an IPv4 address";
    }
    int label = 0;
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c == '.') {
        if (label == 0) {
          return "has an empty label";
        }
        label = 0;
      } else if (!isNameCharacter(c) || ++label > LONGEST_LABEL) {
        return "has a character that is not allowed, or a label over " + LONGEST_LABEL;
      }
    }
    return label == 0 ? "has an empty label" : null;
  }

  private static boolean isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || isDigit(c) || c == '-' || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Such a host can only be an IPv4 address: a top-level domain is never a number (RFC 3696). */
  private static boolean lastLabelIsNumeric(String host) {
    for (int i = host.length() - 1; i >= 0 && host.charAt(i) != '.'; i--) {
      if (!isDigit(host.charAt(i))) {
        return false;
      }
    }
    return !host.endsWith(".");
  }

  private static int port(String text, int from) {
    int digits = text.length() - from;
    int port = 0;
    for (int i = from; i < text.length(); i++) {
      if (!isDigit(text.charAt(i)) || digits > 5) {
        throw new InvalidAuthorityException(text, "the port is not a number up to 65535");
      }
      port = port * 10 + text.charAt(i) - '0';
    }
    if (digits == 0 || port < 1 || port > 65535) {
      throw new InvalidAuthorityException(text, "the port is not 1 to 65535");
    }
    return port;
  }

  /** Four decimal octets without leading zeros, which some readers would take for octal. */
  private static InetAddress ipv4(String text, String host) {
    byte[] octets = new byte[4];
    int count = 0;
    int from = 0;
    while (from <= host.length()) {
      int dot = host.indexOf('.', from);
      int to = dot < 0 ? host.length() : dot;
      int octet = octet(host, from, to);
      if (octet < 0 || count == 4) {
        throw new InvalidAuthorityException(text, "not an IPv4 address of four decimal numbers");
      }
      octets[count++] = (byte) octet;
      from = to + 1;
    }
    if (count != 4) {
      throw new InvalidAuthorityException(text, "not an IPv4 address of four decimal numbers");
    }
    return address(text, octets);
  }

  private static int octet(String host, int from, int to) {
    int length = to - from;
    if (length < 1 || length > 3 || (length > 1 && host.charAt(from) == '0')) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      if (!isDigit(host.charAt(i))) {
        return -1;
      }
      value = value * 10 + host.charAt(i) - '0';
    }
    return value <= 255 ? value : -1;
  }

  private static InetAddress ipv6(String text, int colon) {
    if (text.charAt(colon - 1) != ']') {
      throw new InvalidAuthorityException(text, "the bracket is not closed before the port");
    }
    String literal = text.substring(1, colon - 1);
    boolean colons = false;
    for (int i = 0; i < literal.length(); i++) {
      char c = literal.charAt(i);
      colons |= c == ':';
      if ((c != ':' && c != '.' && Character.digit(c, 16) < 0) || c > 'f') {
        throw new InvalidAuthorityException(text, "not an IPv6 address (scopes are not allowed)");
      }
    }
    if (!colons) {
      throw new InvalidAuthorityException(text, "not an IPv6 address");
    }
    try {
      // A text of hex digits, dots and at least one colon is parsed, never looked up.
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new InvalidAuthorityException(text, "not an IPv6 address");
    }
  }

  private static InetAddress address(String text, byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new InvalidAuthorityException(text, "not an address");
    }
  }
}
