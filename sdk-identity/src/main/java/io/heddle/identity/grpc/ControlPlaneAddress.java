// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.heddle.identity.internal.text.Printable;
import java.util.Locale;

/**
 * Where a control plane is.
 *
 * @param host a name, or an IP literal without brackets
 * @param port 1 to 65535
 * @param plaintext whether the connection is not encrypted
 */
record ControlPlaneAddress(String host, int port, boolean plaintext) {

  private static final String ENCRYPTED = "https://";
  private static final String PLAIN = "http://";
  private static final String EXPECTED = "expected: https://host:port";

  /** Reads {@code https://host:port}; the scheme may be left out. */
  static ControlPlaneAddress parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    boolean plain = lower.startsWith(PLAIN);
    String rest = text;
    if (plain || lower.startsWith(ENCRYPTED)) {
      rest = text.substring((plain ? PLAIN : ENCRYPTED).length());
    } else if (text.contains("://")) {
      throw illegal(text, "its scheme is unknown");
    }
    if (rest.endsWith("/")) {
      rest = rest.substring(0, rest.length() - 1);
    }
    int colon = rest.lastIndexOf(':');
    if (colon < 1 || rest.endsWith("]")) {
      throw illegal(text, "it has no port");
    }
    return new ControlPlaneAddress(
        host(text, rest.substring(0, colon)), port(text, rest.substring(colon + 1)), plain);
  }

  private static String host(String text, String host) {
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String bare = bracketed ? host.substring(1, host.length() - 1) : host;
    if (bare.isEmpty() || (!bracketed && bare.indexOf(':') >= 0)) {
      throw illegal(text, "its host is empty, or an IPv6 address without brackets");
    }
    boolean strange =
        bare.chars().anyMatch(c -> c <= ' ' || c >= 0x7f || "/@[]?#\\".indexOf(c) >= 0);
    if (strange) {
      throw illegal(text, "its host has characters that no host has");
    }
    return bare;
  }

  private static int port(String text, String digits) {
    try {
      int port = Integer.parseInt(digits);
      if (port > 0 && port <= 0xffff && digits.charAt(0) != '+') {
        return port;
      }
    } catch (NumberFormatException e) {
      // Reported like a number that is too large.
    }
    throw illegal(text, "its port is not a number from 1 to 65535");
  }

  /** Whether only this machine can be at the other end. */
  boolean isLoopback() {
    return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
  }

  private static IllegalArgumentException illegal(String text, String why) {
    return new IllegalArgumentException(
        "control-plane address '" + Printable.escape(text) + "': " + why + " (" + EXPECTED + ")");
  }

  @Override
  public String toString() {
    return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
  }
}
