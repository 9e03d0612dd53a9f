// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import io.heddle.internal.net.IpAddresses;
import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Lets through what a program on this host asks, and not what a page in a browser on this host asks
 * in somebody else's name (DESIGN D34): a name that was made to lead to loopback, or a form of
 * another site.
 */
record LocalOnly(Pages pages) implements Pages {

  @Override
  public Answer answer(Question question) {
    String host = question.host();
    if (!isLocal(host)) {
      return Answer.text(
          403, "host '" + host + "' is not this endpoint: ask for localhost or 127.0.0.1\n");
    }
    String origin = question.origin();
    if (origin != null && !origin.equalsIgnoreCase("http://" + host)) {
      return Answer.text(403, "requests of pages of '" + origin + "' are refused\n");
    }
    return pages.answer(question);
  }

  private static boolean isLocal(@Nullable String hostAndPort) {
    if (hostAndPort == null) {
      return false;
    }
    String host = withoutPort(hostAndPort).toLowerCase(Locale.ROOT);
    if (host.equals("localhost")) {
      return true;
    }
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    InetAddress literal =
        IpAddresses.parse(bracketed ? host.substring(1, host.length() - 1) : host);
    return literal != null && literal.isLoopbackAddress();
  }

  private static String withoutPort(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    return colon > hostAndPort.lastIndexOf(']') ? hostAndPort.substring(0, colon) : hostAndPort;
  }
}
