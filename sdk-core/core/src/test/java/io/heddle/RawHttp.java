// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends requests that no HTTP client would send. */
final class RawHttp {

  private RawHttp() {}

  /** Sends a request of these lines, and returns everything up to the end of the connection. */
  static String exchange(InetSocketAddress to, String... lines) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(to, 10_000);
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static String get(InetSocketAddress to, String path) throws IOException {
    return exchange(to, "GET " + path + " HTTP/1.1", "Host: localhost:" + to.getPort());
  }

  static String post(InetSocketAddress to, String path) throws IOException {
    return exchange(
        to, "POST " + path + " HTTP/1.1", "Host: localhost:" + to.getPort(), "Content-Length: 0");
  }

  static String body(String response) {
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }
}
