// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.heddle.internal.relay.ChannelReset;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The factory as client libraries call it, against a real HTTP server. */
class ChannelSocketFactoryTest {

  private static final String BODY = "x".repeat(100_000);

  private static TcpConnector tcp;
  private static SocketFactory factory;
  private static HttpServer server;

  @BeforeAll
  static void startServer() throws IOException {
    tcp = TcpConnector.nio();
    factory = new ChannelSocketFactory(tcp, ChannelReset.ofTcp());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, BODY.length());
          exchange.getResponseBody().write(BODY.getBytes(US_ASCII));
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  static void stopServer() throws InterruptedException {
    server.stop(0);
    tcp.close();
  }

  private static int port() {
    return server.getAddress().getPort();
  }

  private static void assertExchangesHttp(Socket socket) throws IOException {
    try (socket) {
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: web.test\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n" + BODY);
    }
  }

  @Test
  void unconnectedSocketConnectsLater() throws Exception {
    Socket socket = factory.createSocket();
    assertThat(socket.isConnected()).isFalse();

    socket.connect(InetSocketAddress.createUnresolved("web.test", port()), 5000);

    assertExchangesHttp(socket);
  }

  @Test
  void connectsByName() throws Exception {
    assertExchangesHttp(factory.createSocket("web.test", port()));
  }

  @Test
  void connectsByAddress() throws Exception {
    assertExchangesHttp(factory.createSocket(InetAddress.getLoopbackAddress(), port()));
  }

  @Test
  void acceptsAnyLocalAddressWithAName() throws Exception {
    assertExchangesHttp(factory.createSocket("web.test", port(), null, 0));
  }

  @Test
  void acceptsAnyLocalAddressWithAnAddress() throws Exception {
    assertExchangesHttp(factory.createSocket(InetAddress.getLoopbackAddress(), port(), null, 0));
  }

  @Test
  void refusesALocalPort() {
    assertThatThrownBy(() -> factory.createSocket("web.test", port(), null, 40_000))
        .isInstanceOf(BindException.class);
  }
}
