// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Traffic.EchoServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeshInboundTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @TempDir private Path directory;
  private MeshFixture fixture;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void makeFixture() throws Exception {
    fixture = new MeshFixture(directory);
  }

  @AfterEach
  void closeFixture() throws Exception {
    fixture.close();
    Traffic.end(threads);
  }

  @Test
  @DisplayName("a stranger that connects to the application's port has no peer identity")
  void strangersHaveNoIdentity() throws Exception {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0);
        Socket stranger = new Socket(LOOPBACK, echo.port())) {
      Mesh api = fixture.api();
      api.expose(8080, echo.port());
      Socket accepted = echo.accepted().take();

      assertThat(stranger.isConnected()).isTrue();
      assertThat(api.peerOf(accepted)).isEmpty();
      assertThat(api.peerOf(accepted.getRemoteSocketAddress())).isEmpty();
    }
  }

  @Test
  @DisplayName("an identity ends with its connection, so that a reused port inherits nothing")
  void identityEndsWithConnection() throws Exception {
    try (EchoServer echo = new EchoServer(LOOPBACK, 0)) {
      Mesh api = fixture.api();
      Mesh web = fixture.web();
      api.expose(8080, echo.port());
      InetSocketAddress remote;
      try (Socket socket = web.socketFactory().createSocket("api.pay", 80)) {
        remote = (InetSocketAddress) echo.accepted().take().getRemoteSocketAddress();
        assertThat(api.peerOf(remote)).isPresent();
        // A reset frees the port at once; after a clean end the kernel would keep it for a minute.
        socket.setSoLinger(true, 0);
      }
      try (Socket impostor = boundAsSoonAsPossible(remote)) {
        impostor.connect(new InetSocketAddress(LOOPBACK, echo.port()));
        Socket accepted = echo.accepted().take();

        assertThat(accepted.getRemoteSocketAddress()).isEqualTo(remote);
        assertThat(api.peerOf(accepted)).isEmpty();
      }
    }
  }

  /** The kernel gives the port away when the mesh has closed its socket, and not before. */
  private static Socket boundAsSoonAsPossible(InetSocketAddress address) throws IOException {
    while (true) {
      Socket socket = new Socket();
      socket.setReuseAddress(true);
      try {
        socket.bind(address);
        return socket;
      } catch (BindException stillTaken) {
        socket.close();
        Thread.onSpinWait();
      }
    }
  }

  @Test
  @DisplayName("a port that is not exposed is dialled at the workload's address, never at loopback")
  void unexposedPort() throws Exception {
    try (EchoServer onLoopback = new EchoServer(LOOPBACK, 0)) {
      fixture.api();
      Mesh web = fixture.web();
      String pod = fixture.address(3).getHostAddress();
      assertThatThrownBy(() -> Traffic.connect(web, pod, onLoopback.port()))
          .isInstanceOf(MeshException.PeerRefused.class);

      try (EchoServer onPod = new EchoServer(fixture.address(3), onLoopback.port())) {
        assertThat(Traffic.exchange(web, pod, onPod.port(), "hello")).isEqualTo("hello");
        assertThat(onLoopback.accepted()).isEmpty();
      }
    }
  }

  @Test
  @DisplayName("a handler inside the process serves tunnels and knows the caller")
  void inProcess() throws Exception {
    Mesh api = fixture.api();
    Mesh web = fixture.web();
    api.expose(
        8080,
        connection -> {
          byte[] question = connection.input().readAllBytes();
          String caller = connection.peer().orElseThrow().toString();
          connection.output().write(caller.getBytes(StandardCharsets.UTF_8));
          connection.output().write(question);
          connection.shutdownOutput();
        },
        threads);

    assertThat(Traffic.exchange(web, "api.pay", 80, "?"))
        .isEqualTo("spiffe://cluster.local/ns/shop/sa/web?");
  }

  @Test
  @DisplayName("a handler that throws resets its connection, and the next one is served")
  void handlerThrows() throws Exception {
    Mesh api = fixture.api();
    Mesh web = fixture.web();
    BlockingQueue<Boolean> faults = new LinkedBlockingQueue<>(java.util.List.of(true, false));
    api.expose(
        8080,
        connection -> {
          if (faults.remove()) {
            throw new IllegalStateException("fault of the application");
          }
          connection.input().transferTo(connection.output());
          connection.shutdownOutput();
        },
        threads);

    try (MeshConnection first = Traffic.connect(web, "api.pay", 80)) {
      assertThatThrownBy(() -> first.input().read()).isInstanceOf(java.net.SocketException.class);
    }
    assertThat(Traffic.exchange(web, "api.pay", 80, "next")).isEqualTo("next");
  }

  @Test
  @DisplayName("B030 the server may answer after the client's end, through the whole mesh")
  void halfCloseByClient() throws Exception {
    Mesh api = fixture.api();
    Mesh web = fixture.web();
    byte[] answer = new byte[2 << 20];
    api.expose(
        8080,
        connection -> {
          int received = connection.input().readAllBytes().length;
          if (received == 1 << 20) {
            connection.output().write(answer);
          }
          connection.shutdownOutput();
        },
        threads);
    try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
      connection.output().write(new byte[1 << 20]);
      connection.shutdownOutput();

      assertThat(connection.input().readAllBytes()).hasSize(answer.length);
    }
  }

  @Test
  @DisplayName("B030 the client may go on after the server's end, through the whole mesh")
  void halfCloseByServer() throws Exception {
    Mesh api = fixture.api();
    Mesh web = fixture.web();
    CompletableFuture<Integer> received = new CompletableFuture<>();
    api.expose(
        8080,
        connection -> {
          connection.shutdownOutput();
          received.complete(connection.input().readAllBytes().length);
        },
        threads);
    try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
      assertThat(connection.input().read()).isEqualTo(-1);
      connection.output().write(new byte[1 << 20]);
      connection.shutdownOutput();

      assertThat(received.join()).isEqualTo(1 << 20);
    }
  }

  @Test
  @DisplayName("a port can be exposed once, and again after it was closed")
  void exposedTwice() {
    Mesh api = fixture.api();
    Exposure exposure = api.expose(8080);

    assertThatThrownBy(() -> api.expose(8080))
        .isInstanceOf(MeshException.InvalidConfiguration.class)
        .hasMessageContaining("8080");
    exposure.close();
    assertThat(api.expose(8080).port()).isEqualTo(8080);
  }
}
