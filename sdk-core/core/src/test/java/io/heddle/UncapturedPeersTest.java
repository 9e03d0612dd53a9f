// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Traffic.EchoServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traffic with peers that are not part of the mesh. */
class UncapturedPeersTest {

  @TempDir private Path directory;
  private MeshLab lab;
  private EchoServer application;
  private final EchoProxy waypoint = new EchoProxy();

  /** The application of {@code api} listens on the pod's address, where strangers find it. */
  @BeforeEach
  void makeLab() throws Exception {
    lab = new MeshLab(directory);
    application = lab.echo(lab.address(3), 0);
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
  }

  private Path world(String... api) throws Exception {
    return lab.file(
        "mesh",
        new World()
            .workload("shop/web/web", lab.at(1))
            .workload("pay/wp/wp", lab.at(4))
            .workload("pay/api/api", lab.at(3), api));
  }

  @Test
  @DisplayName("E2E-02 only the client is in the mesh: plain TCP, and no identities")
  void onlyTheClient() throws Exception {
    TelemetryRecorder telemetry = new TelemetryRecorder();
    Mesh web =
        lab.pod(world("protocol: TCP"), "shop/web/web", builder -> builder.telemetry(telemetry));

    try (MeshConnection connection = Traffic.connect(web, lab.at(3), application.port())) {
      Traffic.pingPong(connection);
      assertThat(connection.peer()).isEmpty();
    }
    var labels = telemetry.ended().labels();
    assertThat(labels.mutualTls()).isFalse();
    assertThat(labels.source().principal()).isEmpty();
    assertThat(labels.destination().principal()).isEmpty();
    assertThat(labels.destination().workload()).isEqualTo("api");
  }

  @Test
  @DisplayName("E2E-02 only the server is in the mesh: plain TCP, and no identity of the caller")
  void onlyTheServer() throws Exception {
    Mesh api = lab.pod(world(), "pay/api/api");
    try (Socket stranger = new Socket(lab.address(3), application.port())) {
      stranger.getOutputStream().write(7);
      assertThat(stranger.getInputStream().read()).isEqualTo(7);
      assertThat(api.peerOf(application.accepted().take())).isEmpty();
    }
    assertThat(api.statistics().inboundTunnels()).isZero();
  }

  @Test
  @DisplayName("E2E-14 plain text on the HBONE port is closed without an answer of an application")
  void plainTextOnTheTunnelPort() throws Exception {
    Mesh api = lab.pod(world(), "pay/api/api");
    try (Socket stranger = new Socket(lab.address(3), 15008)) {
      stranger.setSoTimeout(30_000);
      stranger
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: api\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

      assertThat(new String(untilItEnds(stranger), StandardCharsets.ISO_8859_1))
          .doesNotContain("HTTP");
    }
    assertThat(application.accepted()).isEmpty();
    assertThat(api.statistics().inboundTunnels()).isZero();
  }

  /** What comes before the end, whether that is an end or a reset: at most an alert of TLS. */
  private static byte[] untilItEnds(Socket socket) throws IOException {
    byte[] received = new byte[256];
    int length = 0;
    try {
      InputStream in = socket.getInputStream();
      int read = in.read(received);
      while (read >= 0) {
        length += read;
        read = in.read(received, length, received.length - length);
      }
    } catch (SocketException reset) {
      return java.util.Arrays.copyOf(received, length);
    }
    return java.util.Arrays.copyOf(received, length);
  }

  @Test
  @DisplayName("IT-02 a stranger to a workload with a waypoint goes direct, in plain text")
  void strangerPassesTheWaypointBy() throws Exception {
    lab.proxy("pay/wp/wp", waypoint, 4);
    lab.pod(world("waypoint: {destination: \"/" + lab.at(4) + "\"}"), "pay/api/api");

    try (Socket stranger = new Socket(lab.address(3), application.port())) {
      stranger.getOutputStream().write(7);
      assertThat(stranger.getInputStream().read()).isEqualTo(7);
    }
    assertThat(waypoint.asked()).isEmpty();
  }

  @Test
  @DisplayName("IT-02 a caller that does not know of the waypoint is judged by L4 policy alone")
  void onlyL4Policy() throws Exception {
    lab.proxy("pay/wp/wp", waypoint, 4);
    World world =
        new World()
            .workload("shop/web/web", lab.at(1))
            .workload("shop/batch/batch", lab.at(2))
            .workload("pay/wp/wp", lab.at(4))
            .workload("pay/api/api", lab.at(3), "waypoint: {destination: \"/" + lab.at(4) + "\"}")
            .policies(
                """
                - name: only-web
                  namespace: pay
                  scope: Namespace
                  action: Allow
                  dryRun: false
                  rules:
                  - - - principals: [!Exact cluster.local/ns/shop/sa/web]
                """);
    lab.pod(lab.file("api", world), "pay/api/api");
    Path unaware =
        lab.file(
            "unaware",
            new World()
                .workload("shop/web/web", lab.at(1))
                .workload("shop/batch/batch", lab.at(2))
                .workload("pay/api/api", lab.at(3)));
    Mesh web = lab.pod(unaware, "shop/web/web");
    Mesh batch = lab.pod(unaware, "shop/batch/batch");

    assertThat(Traffic.exchange(web, lab.at(3), application.port(), "hello")).isEqualTo("hello");
    assertThatThrownBy(() -> Traffic.connect(batch, lab.at(3), application.port()))
        .isInstanceOf(MeshException.PolicyDenied.class);
    assertThat(waypoint.asked()).isEmpty();
  }

  @Test
  @DisplayName("E2E-14 the ports of a node proxy's capture are not open on a pod with the SDK")
  void noCapturePorts() throws Exception {
    lab.pod(world(), "pay/api/api");
    InetAddress pod = lab.address(3);

    for (int port : new int[] {15001, 15006}) {
      assertThatThrownBy(() -> new Socket(pod, port).close())
          .as("port %d", port)
          .isInstanceOf(java.net.ConnectException.class);
    }
  }
}
