// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code forwarded} header of a CONNECT: whose connection the tunnel carries, and the service
 * that it was meant for. Telemetry only; a server never trusts the source in it.
 *
 * @param address the source address
 * @param port the source port
 * @param host the host name of the service that the caller meant, or null when none is known
 */
public record Forwarded(InetAddress address, int port, @Nullable String host) {
  /**
   * Makes the header's value.
   *
   * @param address the source address
   * @param port 1 to 65535
   * @param host the host name of the service, or null
   */
  public Forwarded {
    AuthorityParser.checkPort(port);
    HeaderText.checkFieldValue("host", host);
  }

  /**
   * Writes the header.
   *
   * @return {@code for="10.0.0.1:40000";host=web.shop.svc.cluster.local}
   */
  public String encode() {
    String source = "for=\"" + new Authority.Ip(address, port) + "\"";
    return host == null ? source : source + ";host=" + host;
  }

  /**
   * Reads the service's host name, the only part of the header that peers use.
   *
   * @param header the value of the first header line
   * @return the name without quotes; empty when absent, empty or not ASCII
   */
  public static Optional<String> parseHost(String header) {
    for (String pair : header.split(";", -1)) {
      if (pair.startsWith("host=")) {
        String host = unquoted(pair.substring("host=".length()));
        return host.isEmpty() || !HeaderText.isAscii(host) ? Optional.empty() : Optional.of(host);
      }
    }
    return Optional.empty();
  }

  private static String unquoted(String text) {
    boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }
}
