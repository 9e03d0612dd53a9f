// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Traffic.EchoServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that go around the tunnel, to a port that the application has exposed. */
class PlaintextCallersTest {

  private static final String STRICT =
      """
      - name: istio_converted_static_strict
        namespace: pay
        scope: Namespace
        action: Deny
        dryRun: false
        rules:
        - - - notPrincipals: [!Presence []]
      """;

  @TempDir private Path directory;
  private MeshFixture fixture;
  private EchoServer echo;

  @BeforeEach
  void makeFixture() throws Exception {
    fixture = new MeshFixture(directory);
    echo = new EchoServer(InetAddress.getLoopbackAddress(), 0);
  }

  @AfterEach
  void closeFixture() throws Exception {
    fixture.close();
    echo.close();
  }

  @Test
  @DisplayName("IT-04 by default nobody listens for them")
  void refusedByDefault() {
    fixture.api().expose(8080, echo.port());

    assertThatThrownBy(this::caller).isInstanceOf(ConnectException.class);
  }

  @Test
  @DisplayName("IT-04 a permissive mesh serves them, without an identity")
  void permissive() throws Exception {
    Mesh api = serving();
    try (Socket caller = caller()) {
      assertThat(echoed(caller)).isTrue();

      assertThat(api.peerOf(echo.accepted().take())).isEmpty();
    }
  }

  @Test
  @DisplayName("IT-04 a strict mesh refuses them, and tunnels pass")
  void strict() throws Exception {
    fixture.policies(STRICT);
    serving();
    try (Socket caller = caller()) {
      assertThat(echoed(caller)).isFalse();
    }
    assertThat(echo.accepted()).isEmpty();
    assertThat(Traffic.exchange(fixture.web(), "api.pay", 80, "hello")).isEqualTo("hello");
  }

  @Test
  @DisplayName("B094 a mesh that becomes strict resets callers in plain text, and no tunnel")
  void becomesStrict() throws Exception {
    serving();
    Mesh web = fixture.web();
    try (Socket caller = caller();
        MeshConnection tunnel = Traffic.connect(web, "api.pay", 80)) {
      assertThat(echoed(caller)).isTrue();
      Traffic.pingPong(tunnel);

      fixture.policies(STRICT);

      assertThatThrownBy(() -> caller.getInputStream().read()).isInstanceOf(SocketException.class);
      Traffic.pingPong(tunnel);
    }
  }

  @Test
  @DisplayName("a port that is exposed no longer is served no longer")
  void concealed() throws Exception {
    Exposure exposure = serving(8080);
    exposure.close();

    assertThat(isServed()).isFalse();
    assertThat(echo.accepted()).isEmpty();
  }

  @Test
  @DisplayName("an address where the application itself listens is left to it, with a warning")
  void taken() throws Exception {
    try (EchoServer application = new EchoServer(fixture.address(3), 0)) {
      assertThat(serving(application.port()).port()).isEqualTo(application.port());
    }
  }

  private Mesh serving() {
    Mesh api = mesh();
    api.expose(8080, echo.port());
    return api;
  }

  private Exposure serving(int port) {
    return mesh().expose(port, echo.port());
  }

  private Mesh mesh() {
    return fixture.start(
        "pay/api/api",
        builder ->
            builder
                .plaintextCallers(PlaintextCallers.BY_POLICY)
                .drainPeriod(java.time.Duration.ofMillis(100)));
  }

  private Socket caller() throws IOException {
    Socket socket = new Socket(fixture.address(3), 8080);
    socket.setSoTimeout(20_000);
    return socket;
  }

  /**
   * Whether a new caller is. One that comes at once may still find the socket, which the selector
   * gives back a moment after the channel is closed; it is reset then.
   */
  private boolean isServed() throws IOException {
    try (Socket caller = caller()) {
      return echoed(caller);
    } catch (ConnectException refused) {
      return false;
    }
  }

  private static boolean echoed(Socket caller) throws IOException {
    try {
      caller.getOutputStream().write(7);
      return caller.getInputStream().read() == 7;
    } catch (SocketException reset) {
      return false;
    }
  }
}
