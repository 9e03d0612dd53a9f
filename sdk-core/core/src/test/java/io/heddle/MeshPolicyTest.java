// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Traffic.EchoServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Authorization as it meets the wire; its logic has tests of its own. */
class MeshPolicyTest {

  private static final String DENY_WEB =
      """
      - name: no-web
        namespace: pay
        scope: Namespace
        action: Deny
        dryRun: %s
        rules:
        - - - principals: [!Exact cluster.local/ns/shop/sa/web]
      """;

  private static final String ALLOW =
      """
      - name: allow-%1$s
        namespace: pay
        scope: Namespace
        action: Allow
        dryRun: false
        rules:
        - - - principals: [!Exact cluster.local/ns/shop/sa/%1$s]
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
  @DisplayName("E2E-10 a caller that no allow policy names is denied, and knows it")
  void denied() throws Exception {
    fixture.policies(ALLOW.formatted("batch"));
    Mesh api = serving();
    Mesh web = fixture.web();

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.PolicyDenied.class)
        .hasMessageContaining("401");
    assertThat(api.statistics().inboundTunnels()).isZero();
    assertThat(echo.accepted()).isEmpty();
  }

  @Test
  @DisplayName("B094 (1) a new DENY resets the open tunnel of the denied, and no other")
  void denyCutsOpenTunnel() throws Exception {
    serving();
    Mesh web = fixture.web();
    Mesh batch = fixture.batch();
    try (MeshConnection denied = Traffic.connect(web, "api.pay", 80);
        MeshConnection other = Traffic.connect(batch, "api.pay", 80)) {
      Traffic.pingPong(denied);
      Traffic.pingPong(other);

      fixture.policies(DENY_WEB.formatted(false));

      assertThatThrownBy(() -> denied.input().read()).isInstanceOf(SocketException.class);
      Traffic.pingPong(other);
    }
  }

  @Test
  @DisplayName("B094 (2) removing the only ALLOW that matched resets the open tunnel")
  void removedAllowCuts() throws Exception {
    fixture.policies(ALLOW.formatted("web") + ALLOW.formatted("batch"));
    serving();
    Mesh web = fixture.web();
    try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
      Traffic.pingPong(connection);

      fixture.policies(ALLOW.formatted("batch"));

      assertThatThrownBy(() -> connection.input().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  @DisplayName("B094 (3) a dry-run DENY that becomes real resets the open tunnel")
  void dryRunBecomesReal() throws Exception {
    fixture.policies(DENY_WEB.formatted(true));
    serving();
    Mesh web = fixture.web();
    try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
      Traffic.pingPong(connection);

      fixture.policies(DENY_WEB.formatted(false));

      assertThatThrownBy(() -> connection.input().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  @DisplayName("B094 (4) after the DENY is deleted new tunnels work")
  void deletedDeny() throws Exception {
    fixture.policies(DENY_WEB.formatted(false));
    serving();
    Mesh web = fixture.web();
    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.PolicyDenied.class);

    fixture.policies(ALLOW.formatted("web"));

    assertThat(eventuallyConnects(web)).isTrue();
  }

  @Test
  @DisplayName("B101 a connection waits for a policy that is named and arrives, then is judged")
  void policyArrivesLate() throws Exception {
    fixture.apiNames("[\"pay/selected\"]");
    serving();
    Mesh web = fixture.web();
    var pending = web.connect("api.pay", 80).toCompletableFuture();

    fixture.policies(
        ALLOW
            .formatted("web")
            .replace("allow-web", "selected")
            .replace("Namespace", "WorkloadSelector"));

    try (MeshConnection connection = pending.join()) {
      Traffic.pingPong(connection);
    }
  }

  @Test
  @DisplayName("B101 a policy that is named and never arrives ends in a denial")
  void policyNeverArrives() throws Exception {
    fixture.apiNames("[\"pay/selected\"]");
    serving();
    Mesh web = fixture.web();

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.PolicyDenied.class);
  }

  @Test
  @DisplayName("B101 as the node proxy does, a policy that never arrives can be left out")
  void policyLeftOut() throws Exception {
    fixture.apiNames("[\"pay/selected\"]");
    fixture
        .start("pay/api/api", builder -> builder.missingPolicies(MissingPolicies.IGNORE))
        .expose(8080, echo.port());
    Mesh web = fixture.web();

    assertThat(Traffic.exchange(web, "api.pay", 80, "hello")).isEqualTo("hello");
  }

  @Test
  @DisplayName("B105 a policy on ports sees the application's port, not the tunnel's")
  void portOfTheApplication() throws Exception {
    fixture.policies(
        """
        - name: only-8080
          namespace: pay
          scope: Namespace
          action: Allow
          dryRun: false
          rules:
          - - - destinationPorts: [8080]
        """);
    Mesh api = serving();
    api.expose(8081, echo.port());
    Mesh web = fixture.web();

    assertThat(Traffic.exchange(web, "api.pay", 80, "hello")).isEqualTo("hello");
    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 81))
        .isInstanceOf(MeshException.PolicyDenied.class);
  }

  @Test
  @DisplayName("B105 each tunnel of a pooled connection is judged on its own port")
  void pooledTunnelsAreJudgedAlone() throws Exception {
    fixture.policies(
        """
        - name: no-8081
          namespace: pay
          scope: Namespace
          action: Deny
          dryRun: false
          rules:
          - - - destinationPorts: [8081]
        """);
    Mesh api = serving();
    api.expose(8081, echo.port());
    Mesh web = fixture.web();
    try (MeshConnection allowed = Traffic.connect(web, "api.pay", 80)) {
      assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 81))
          .isInstanceOf(MeshException.PolicyDenied.class);

      Traffic.pingPong(allowed);
      assertThat(web.statistics().connectionsOpened()).isEqualTo(1);
    }
  }

  private Mesh serving() {
    Mesh api = fixture.api();
    api.expose(8080, echo.port());
    return api;
  }

  /** The reload is asynchronous: connects until it has happened; the test's time limit ends it. */
  private static boolean eventuallyConnects(Mesh web) throws IOException {
    while (true) {
      try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
        Traffic.pingPong(connection);
        return true;
      } catch (MeshException.PolicyDenied notYet) {
        Thread.onSpinWait();
      }
    }
  }
}
