// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.TelemetryRecorder.Seen;
import io.heddle.Traffic.EchoServer;
import io.heddle.spi.ConnectionLabels;
import java.net.InetAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeshTelemetryTest {

  @TempDir private Path directory;
  private MeshFixture fixture;
  private EchoServer echo;
  private final TelemetryRecorder client = new TelemetryRecorder();
  private final TelemetryRecorder server = new TelemetryRecorder();
  private Mesh web;

  @BeforeEach
  void startMeshes() throws Exception {
    fixture = new MeshFixture(directory);
    echo = new EchoServer(InetAddress.getLoopbackAddress(), 0);
    Mesh api = fixture.start("pay/api/api", builder -> builder.telemetry(server));
    api.expose(8080, echo.port());
    web = fixture.start("shop/web/web", builder -> builder.telemetry(client));
  }

  @AfterEach
  void closeMeshes() throws Exception {
    fixture.close();
    echo.close();
  }

  @Test
  @DisplayName("E2E-01 both ends count the initiator's bytes as received, and the answer as sent")
  void bytesFromBothEnds() throws Exception {
    Traffic.exchange(web, "api.pay", 80, "hello world");

    Seen source = client.ended();
    Seen destination = server.ended();
    assertThat(source.fromInitiator()).isEqualTo(11);
    assertThat(source.towardsInitiator()).isEqualTo(11);
    assertThat(destination.fromInitiator()).isEqualTo(11);
    assertThat(destination.towardsInitiator()).isEqualTo(11);
    assertThat(source.flags()).isEqualTo("-");
    assertThat(destination.flags()).isEqualTo("-");
  }

  @Test
  @DisplayName("E2E-01 both ends name both identities")
  void identities() throws Exception {
    Traffic.exchange(web, "api.pay", 80, "hello");

    for (Seen seen : new Seen[] {client.ended(), server.ended()}) {
      assertThat(seen.labels().source().principal())
          .isEqualTo("spiffe://cluster.local/ns/shop/sa/web");
      assertThat(seen.labels().destination().principal())
          .isEqualTo("spiffe://cluster.local/ns/pay/sa/api");
      assertThat(seen.labels().mutualTls()).isTrue();
      assertThat(seen.labels().service()).isEqualTo("api.pay.svc.cluster.local");
    }
  }

  @Test
  @DisplayName("IT-01 the server's log has the client's own address, and so has its policy")
  void clientAddress() throws Exception {
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
    try (AccessLines log = new AccessLines()) {
      assertThat(Traffic.exchange(web, "api.pay", 80, "hello")).isEqualTo("hello");

      assertThat(log.await("direction=inbound", "dst.workload=api"))
          .contains("src.addr=" + fixture.address(1).getHostAddress() + ":");
    }
  }

  @Test
  @DisplayName("IT-13 the destination reports every label of layer 4, of both ends")
  void labelsAtTheDestination() throws Exception {
    Traffic.exchange(web, "api.pay", 80, "hello");

    ConnectionLabels labels = server.ended().labels();
    assertThat(labels)
        .isEqualTo(
            new ConnectionLabels(
                ConnectionLabels.Reporter.DESTINATION,
                party("web", "shop"),
                party("api", "pay"),
                "api.pay.svc.cluster.local",
                "pay",
                "api",
                /* mutualTls= */ true));
  }

  private static ConnectionLabels.Party party(String name, String namespace) {
    return new ConnectionLabels.Party(
        name,
        namespace,
        "spiffe://cluster.local/ns/" + namespace + "/sa/" + name,
        name,
        "v1",
        "c1",
        "eu",
        "eu-a");
  }

  @Test
  @DisplayName("a denied connection is opened once and closed with DENY, at both ends")
  void denied() throws Exception {
    fixture.policies(
        """
        - name: nobody
          namespace: pay
          scope: Namespace
          action: Allow
          dryRun: false
          rules: []
        """);
    boolean denied = false;
    while (!denied) {
      try (MeshConnection stillAllowed = Traffic.connect(web, "api.pay", 80)) {
        Traffic.pingPong(stillAllowed);
      } catch (MeshException.PolicyDenied now) {
        denied = true;
      } catch (java.net.SocketException cutByTheChange) {
        assertThat(cutByTheChange).hasMessageContaining("reset");
      }
    }

    Seen last = client.ended();
    while (!last.flags().equals("DENY")) {
      last = client.ended();
    }
    Seen atServer = server.ended();
    while (!atServer.flags().equals("DENY")) {
      atServer = server.ended();
    }
    assertThat(last.labels().reporter()).isEqualTo(ConnectionLabels.Reporter.SOURCE);
    assertThat(atServer.labels().reporter()).isEqualTo(ConnectionLabels.Reporter.DESTINATION);
  }

  @Test
  @DisplayName("a route that is refused is no connection: nothing is counted")
  void refusedRoutes() {
    assertThatThrownBy(() -> Traffic.connect(web, "empty.pay", 80))
        .isInstanceOf(MeshException.NoRoute.class);
    assertThat(client.endedSoFar()).isEmpty();
  }
}
