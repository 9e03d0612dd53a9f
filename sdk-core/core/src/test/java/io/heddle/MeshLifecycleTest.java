// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Traffic.EchoServer;
import io.heddle.testing.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeshLifecycleTest {

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
  @DisplayName("APP-03 a closing mesh waits for the open tunnel, and no longer")
  void drainWaits() throws Exception {
    Mesh api = fixture.start("pay/api/api", builder -> drain(builder, Duration.ofSeconds(30)));
    api.expose(8080, echo.port());
    Mesh web = fixture.web();
    MeshConnection connection = Traffic.connect(web, "api.pay", 80);
    Traffic.pingPong(connection);

    CompletableFuture<Void> closed = CompletableFuture.runAsync(api::close);
    awaitRefusal(fixture.address(3));
    Traffic.pingPong(connection);
    assertThat(closed).isNotDone();
    connection.shutdownOutput();
    assertThat(connection.input().read()).isEqualTo(-1);
    connection.close();

    closed.join();
  }

  @Test
  @DisplayName("B048 what does not end within the drain period is reset")
  void drainEnds() throws Exception {
    Mesh api = fixture.start("pay/api/api", builder -> drain(builder, Duration.ofMillis(300)));
    api.expose(8080, echo.port());
    Mesh web = fixture.web();
    try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
      Traffic.pingPong(connection);
      api.close();

      assertThatThrownBy(() -> connection.input().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  @DisplayName("CM-02 a closed mesh stops watching policies at once, and leaves no thread")
  void nothingRunsAfterClose() throws Exception {
    Mesh api = fixture.api();
    api.expose(8080, echo.port());
    Mesh web = fixture.web();
    assertThat(Traffic.exchange(web, "api.pay", 80, "hello")).isEqualTo("hello");

    web.close();
    api.close();
    fixture.close();

    Eventually.holds("no thread of a mesh is left", () -> threadsOfHeddle().isEmpty());
  }

  private static java.util.List<String> threadsOfHeddle() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("heddle"))
        .toList();
  }

  @Test
  @DisplayName("APP-01 a mesh without traffic ends long before its drain period")
  void idleEndsAtOnce() throws Exception {
    Mesh idle = fixture.start("pay/api/api", builder -> drain(builder, Duration.ofMinutes(5)));

    CompletableFuture.runAsync(idle::close).get(30, TimeUnit.SECONDS);

    awaitRefusal(fixture.address(3));
  }

  @Test
  @DisplayName("close is idempotent")
  void closeTwice() {
    Mesh web = fixture.web();
    web.close();
    web.close();
    assertThat(web.statistics().tunnelsOpen()).isZero();
  }

  @Test
  @DisplayName("APP-02 a taken HBONE port is a typed refusal to start that leaves nothing behind")
  void portTaken() throws Exception {
    try (ServerSocket other = new ServerSocket()) {
      other.bind(new InetSocketAddress(fixture.address(1), 15008));
      assertThatThrownBy(() -> fixture.web())
          .isInstanceOf(MeshException.InvalidConfiguration.class)
          .hasMessageContaining("15008");
    }
    assertThat(fixture.web().hboneAddresses()).hasSize(1);
  }

  @Test
  @DisplayName("a workload that the file does not know is refused, with its name")
  void unknownWorkload() {
    assertThatThrownBy(() -> fixture.start("shop/nobody/nobody"))
        .isInstanceOf(MeshException.InvalidConfiguration.class)
        .hasMessageContaining("shop/nobody/nobody");
  }

  @Test
  @DisplayName("a workload name of another form is refused, with the form")
  void malformedWorkload() {
    assertThatThrownBy(() -> fixture.start("shop//web"))
        .isInstanceOf(MeshException.InvalidConfiguration.class)
        .hasMessageContaining("namespace/name/serviceAccount");
  }

  @Test
  @DisplayName("a certificate of another workload is refused at the start")
  void foreignCertificate() throws Exception {
    try (var source =
        io.heddle.identity.DevelopmentSource.builder(
                fixture.ca(),
                io.heddle.identity.SpiffeId.workload(MeshFixture.TRUST_DOMAIN, "shop", "other"))
            .build()) {
      MeshBuilder builder =
          Mesh.builder().localFile(fixture.file()).workload("shop/web/web").identity(source);
      assertThatThrownBy(builder::start)
          .isInstanceOf(MeshException.InvalidConfiguration.class)
          .hasMessageContaining("/sa/other");
    }
  }

  @Test
  @DisplayName("a file with errors is refused at the start, with every error")
  void badFile() throws Exception {
    Path bad = directory.resolve("bad.yaml");
    java.nio.file.Files.writeString(bad, "workloads:\n- {uid: a, nonsense: 1}\n");
    MeshBuilder builder = Mesh.builder().localFile(bad).workload("a/b/c");
    assertThatThrownBy(builder::start)
        .isInstanceOf(MeshException.InvalidConfiguration.class)
        .hasMessageContaining("nonsense");
  }

  @Test
  @DisplayName("a value that is set twice is refused, with the first one")
  void setTwice() {
    MeshBuilder builder = Mesh.builder().workload("a/b/c");
    assertThatThrownBy(() -> builder.workload("d/e/f"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a/b/c");
  }

  private static MeshBuilder drain(MeshBuilder builder, Duration period) {
    return builder.drainPeriod(period);
  }

  /** The listener closes first in a drain: new TCP connects are refused from then on. */
  private static void awaitRefusal(InetAddress address) throws InterruptedException {
    while (true) {
      try (Socket probe = new Socket(address, 15008)) {
        Thread.onSpinWait();
      } catch (java.io.IOException refused) {
        return;
      }
    }
  }
}
