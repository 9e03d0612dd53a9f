// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Traffic.EchoServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeshConnectTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @TempDir private Path directory;
  private MeshFixture fixture;

  @BeforeEach
  void makeFixture() throws Exception {
    fixture = new MeshFixture(directory);
  }

  @AfterEach
  void closeFixture() throws Exception {
    fixture.close();
  }

  @ParameterizedTest(name = "APP-04 a target given as {0} is reached through a tunnel")
  @ValueSource(strings = {"api.pay", "api.pay.svc", "api.pay.svc.cluster.local", "vip"})
  void namesAndVips(String name) throws Exception {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0)) {
      Mesh api = fixture.api();
      Mesh web = fixture.web();
      api.expose(8080, echo.port());
      String host = name.equals("vip") ? fixture.address(100).getHostAddress() : name;

      assertThat(Traffic.exchange(web, host, 80, "hello")).isEqualTo("hello");
    }
  }

  @Test
  @DisplayName("APP-04 a workload's own address is reached through a tunnel")
  void podAddress() throws Exception {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0)) {
      Mesh api = fixture.api();
      Mesh web = fixture.web();
      api.expose(8080, echo.port());

      String pod = fixture.address(3).getHostAddress();
      assertThat(Traffic.exchange(web, pod, 8080, "hello")).isEqualTo("hello");
    }
  }

  @Test
  @DisplayName("the client knows whom it talks to, and the server who calls")
  void bothEndsKnowEachOther() throws Exception {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0)) {
      Mesh api = fixture.api();
      Mesh web = fixture.web();
      api.expose(8080, echo.port());

      try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
        Traffic.pingPong(connection);
        Socket accepted = echo.accepted().take();

        assertThat(connection.peer().orElseThrow().spiffeId())
            .hasToString("spiffe://cluster.local/ns/pay/sa/api");
        assertThat(api.peerOf(accepted).orElseThrow().spiffeId())
            .hasToString("spiffe://cluster.local/ns/shop/sa/web");
        assertThat(api.peerOf(accepted.getRemoteSocketAddress()).orElseThrow().isWaypoint())
            .isFalse();
      }
    }
  }

  @Test
  @DisplayName("the server's view of a tunnel comes from the workload's own address")
  void dialsFromOwnAddress() throws Exception {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0)) {
      fixture.policies(
          """
          - name: by-address
            namespace: pay
            scope: Namespace
            action: Allow
            dryRun: false
            rules:
            - - - sourceIps: ["%s/32"]
          """
              .formatted(fixture.address(1).getHostAddress()));
      Mesh api = fixture.api();
      Mesh web = fixture.web();
      api.expose(8080, echo.port());

      assertThat(Traffic.exchange(web, "api.pay", 80, "hello")).isEqualTo("hello");
    }
  }

  @Test
  @DisplayName("B087 a service without endpoints is refused with a typed reason")
  void noEndpoints() {
    Mesh web = fixture.web();

    assertThatThrownBy(() -> Traffic.connect(web, "empty.pay", 80))
        .isInstanceOf(MeshException.NoRoute.class)
        .hasMessageContaining("connect to empty.pay:80");
  }

  @Test
  @DisplayName("a service port that does not exist is refused, never passed through")
  void noSuchPort() {
    Mesh web = fixture.web();

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 4444))
        .isInstanceOf(MeshException.NoRoute.class);
  }

  @Test
  @DisplayName("an unknown address passes through as plain TCP, and has no peer identity")
  void unknownPassesThrough() throws Exception {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0)) {
      Mesh web = fixture.web();

      try (MeshConnection connection = Traffic.connect(web, "127.0.0.1", echo.port())) {
        Traffic.pingPong(connection);
        assertThat(connection.peer()).isEmpty();
      }
    }
  }

  @Test
  @DisplayName("an unknown address is refused where that is asked for")
  void unknownRefused() {
    Mesh web =
        fixture.start(
            "shop/web/web", builder -> builder.unknownDestinations(UnknownDestinations.REFUSE));

    // Nothing is dialled; an address of loopback would be an exception to the rule.
    assertThatThrownBy(() -> Traffic.connect(web, "192.0.2.1", 9))
        .isInstanceOf(MeshException.NoRoute.class);
  }

  @Test
  @DisplayName("B049 calls to our own HBONE port are refused as a loop")
  void ownHbonePort() {
    Mesh web = fixture.web();
    String own = fixture.address(1).getHostAddress();

    assertThatThrownBy(() -> Traffic.connect(web, own, 15008))
        .isInstanceOf(MeshException.NoRoute.class)
        .hasMessageContaining("loop detected");
  }

  @Test
  @DisplayName("IT-03 an application that does not listen is a refusal by the peer, with 503")
  void applicationDown() throws Exception {
    int closed;
    try (ServerSocket probe = new ServerSocket(0, 1, LOOPBACK)) {
      closed = probe.getLocalPort();
    }
    Mesh api = fixture.api();
    Mesh web = fixture.web();
    api.expose(8080, closed);

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOfSatisfying(
            MeshException.PeerRefused.class, e -> assertThat(e.status()).isEqualTo(503));
  }

  @Test
  @DisplayName("a peer that is not there is a failed connect that names its HBONE port")
  void peerNotThere() {
    Mesh web = fixture.web();

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.ConnectFailed.class)
        .hasMessageContaining("15008");
  }

  @Test
  @DisplayName("E2E-15 a server of another trust root is not talked to")
  void foreignRoot() throws Exception {
    Path otherDirectory = java.nio.file.Files.createDirectory(directory.resolve("other"));
    try (MeshFixture stranger = new MeshFixture(otherDirectory)) {
      String yaml = java.nio.file.Files.readString(fixture.file());
      Mesh impostor =
          Mesh.builder()
              .localConfiguration(yaml)
              .workload("pay/api/api")
              .identity(
                  io.heddle.identity.DevelopmentSource.builder(
                          stranger.ca(),
                          io.heddle.identity.SpiffeId.workload(
                              MeshFixture.TRUST_DOMAIN, "pay", "api"))
                      .build())
              .start();
      try (impostor) {
        Mesh web = fixture.web();

        assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
            .isInstanceOf(MeshException.PeerUntrusted.class);
      } finally {
        impostor.identity().close();
      }
    }
  }

  @Test
  @DisplayName("sockets of the factory carry a blocking client, refusals are ConnectExceptions")
  void socketFactory() throws Exception {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0)) {
      Mesh api = fixture.api();
      Mesh web = fixture.web();
      api.expose(8080, echo.port());

      try (Socket socket = web.socketFactory().createSocket("api.pay", 80)) {
        socket.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
        socket.shutdownOutput();
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .isEqualTo("hello");
      }
      assertThatThrownBy(() -> web.socketFactory().createSocket("empty.pay", 80))
          .isInstanceOf(ConnectException.class)
          .hasCauseInstanceOf(MeshException.NoRoute.class);
    }
  }

  @Test
  @DisplayName("an unconnected socket takes an unresolved name at connect")
  void unconnectedSocket() throws Exception {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0)) {
      Mesh api = fixture.api();
      Mesh web = fixture.web();
      api.expose(8080, echo.port());

      try (Socket socket = web.socketFactory().createSocket()) {
        socket.connect(InetSocketAddress.createUnresolved("api.pay", 80), 5_000);
        socket.getOutputStream().write(1);
        assertThat(socket.getInputStream().read()).isEqualTo(1);
      }
    }
  }

  @Test
  @DisplayName("a closed mesh refuses to connect and says so")
  void closedMesh() {
    Mesh web = fixture.web();
    web.close();

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.Closed.class);
  }

  @Test
  @DisplayName("B038 ten MiB through a tunnel arrive whole")
  void bulk() throws IOException {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0)) {
      Mesh api = fixture.api();
      Mesh web = fixture.web();
      api.expose(8080, echo.port());
      String text = "0123456789abcdef".repeat(10 << 16);

      assertThat(Traffic.exchange(web, "api.pay", 80, text)).isEqualTo(text);
    }
  }
}
