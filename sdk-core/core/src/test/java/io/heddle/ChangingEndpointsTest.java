// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.TelemetryRecorder.Seen;
import io.heddle.spi.ConnectionLabels;
import io.heddle.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose pods come and go. Each answers with its own name. */
class ChangingEndpointsTest {

  @TempDir private Path directory;
  private MeshLab lab;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final TelemetryRecorder client = new TelemetryRecorder();
  private final TelemetryRecorder server = new TelemetryRecorder();

  @BeforeEach
  void makeLab() {
    lab = new MeshLab(directory);
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
    Traffic.end(threads);
  }

  private Path world(int... pods) throws Exception {
    return file("mesh", pods);
  }

  private Path file(String name, int... pods) throws Exception {
    World world =
        new World()
            .workload("shop/web/web", lab.at(1))
            .service("pay/api", "\"/" + lab.at(100) + '"');
    for (int pod : pods) {
      world.workload(
          "pay/api-" + pod + "/api", lab.at(pod), "node: n" + pod, World.serves("pay/api"));
    }
    return lab.file(name, world);
  }

  private Mesh pod(Path world, int pod) {
    return pod(world, pod, Duration.ofMillis(100));
  }

  private Mesh pod(Path world, int pod, Duration drain) {
    Mesh mesh =
        lab.pod(world, "pay/api-" + pod + "/api", builder -> builder.telemetry(server), drain);
    byte[] name = Integer.toString(pod).getBytes(StandardCharsets.US_ASCII);
    mesh.expose(
        8080,
        connection -> {
          connection.output().write(name);
          connection.output().flush();
          connection.input().transferTo(connection.output());
          connection.shutdownOutput();
        },
        threads);
    return mesh;
  }

  private Mesh web(Path world) {
    return lab.pod(world, "shop/web/web", builder -> builder.telemetry(client));
  }

  private static String whoAnswers(Mesh web) {
    try {
      return Traffic.exchange(web, "api.pay", 80, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("E2E-07 one connection uses one of two endpoints, and fifty use both")
  void twoEndpoints() throws Exception {
    Path world = world(3, 4);
    pod(world, 3);
    pod(world, 4);
    Mesh web = web(world);

    assertThat(whoAnswers(web)).isIn("3", "4");
    Set<String> answered = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      answered.add(whoAnswers(web));
    }
    assertThat(answered).containsExactlyInAnyOrder("3", "4");
  }

  @Test
  @DisplayName("E2E-07 both ends count a connection under the service")
  void serviceLabels() throws Exception {
    Path world = world(3, 4);
    pod(world, 3);
    pod(world, 4);
    whoAnswers(web(world));

    for (Seen seen : new Seen[] {client.ended(), server.ended()}) {
      ConnectionLabels labels = seen.labels();
      assertThat(labels.service()).isEqualTo("api.pay.svc.cluster.local");
      assertThat(labels.serviceNamespace()).isEqualTo("pay");
      assertThat(labels.serviceName()).isEqualTo("api");
    }
  }

  /** To its clients the pod has two addresses; at the first one nobody listens. */
  private Mesh webOfTwoAddresses() throws Exception {
    pod(file("pods", 13), 13);
    World clients =
        new World()
            .workload("shop/web/web", lab.at(1))
            .workload("pay/api-13/api", lab.at(12) + ", " + lab.at(13), World.serves("pay/api"))
            .service("pay/api", "\"/" + lab.at(100) + '"');
    return web(lab.file("clients", clients));
  }

  @Test
  @DisplayName("a pod that is not reached at one address is reached at another, and so it is told")
  void otherAddress() throws Exception {
    Mesh web = webOfTwoAddresses();
    try (AccessLines log = new AccessLines()) {
      assertThat(whoAnswers(web)).isEqualTo("13");

      assertThat(log.await("direction=outbound", "src.identity=" + MeshLab.id("shop/web/web")))
          .contains("dst.addr=" + lab.at(13) + ":15008")
          .contains("dst.hbone_addr=" + lab.at(13) + ":8080");
    }
  }

  @Test
  @DisplayName("an address that the application dials itself has no other")
  void addressDialledItself() throws Exception {
    Mesh web = webOfTwoAddresses();

    assertThatThrownBy(() -> Traffic.connect(web, lab.at(12), 8080))
        .isInstanceOf(MeshException.ConnectFailed.class);
    assertThat(client.ended().flags()).isEqualTo("CONNECT");
  }

  @Test
  @DisplayName("a pod that is reached nowhere fails once, with every address")
  void noAddressReached() throws Exception {
    Mesh web = webOfTwoAddresses();
    World unreachable =
        new World()
            .workload("shop/web/web", lab.at(1))
            .workload("pay/api-13/api", lab.at(11) + ", " + lab.at(12), World.serves("pay/api"))
            .service("pay/api", "\"/" + lab.at(100) + '"');
    lab.file("clients", unreachable);
    Eventually.holds("no address answers", () -> isRefused(web));

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.ConnectFailed.class)
        .hasMessageContaining(lab.at(11))
        .hasMessageContaining(lab.at(12));
  }

  @Test
  @DisplayName("E2E-08 a mesh that shuts down serves open connections, and refuses new ones soon")
  void shutdownWithOpenConnection() throws Exception {
    Path world = world(3);
    Mesh api = pod(world, 3, Duration.ofSeconds(30));
    Mesh web = web(world);
    try (MeshConnection open = Traffic.connect(web, "api.pay", 80)) {
      assertThat(open.input().read()).isEqualTo('3');
      CompletableFuture<Void> closing = CompletableFuture.runAsync(api::close, threads);

      Eventually.holds("new connections are refused", () -> isRefused(web));
      Traffic.pingPong(open);
      assertThat(closing).isNotDone();
      open.shutdownOutput();
      assertThat(open.input().read()).isEqualTo(-1);
      closing.get(30, TimeUnit.SECONDS);
    }
  }

  private static boolean isRefused(Mesh web) {
    try (MeshConnection stillServed = Traffic.connect(web, "api.pay", 80)) {
      return false;
    } catch (MeshException.ConnectFailed refused) {
      return true;
    }
  }

  @Test
  @DisplayName("E2E-09 when its pod is removed a connection fails at its next use")
  void podRemovedUnderConnection() throws Exception {
    Path world = world(3);
    Mesh api = pod(world, 3, Duration.ZERO);
    Mesh web = web(world);
    try (MeshConnection open = Traffic.connect(web, "api.pay", 80)) {
      assertThat(open.input().read()).isEqualTo('3');

      api.close();

      assertThatThrownBy(() -> open.input().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  @DisplayName(
      "E2E-09 a new connection to a removed pod fails when it is made, not when it is read")
  void podRemoved() throws Exception {
    Path world = world(3);
    pod(world, 3, Duration.ZERO).close();
    Mesh web = web(world);

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.ConnectFailed.class);
  }

  @Test
  @DisplayName("a record that goes before its pod cuts no connection, and admits no new one")
  void recordGoesFirst() throws Exception {
    Path pods = file("pods", 3);
    pod(pods, 3);
    Mesh web = web(file("clients", 3));
    try (MeshConnection open = Traffic.connect(web, "api.pay", 80)) {
      assertThat(open.input().read()).isEqualTo('3');

      file("pods");
      Eventually.holds("a new connection is refused", () -> isUnknown(web));
      Traffic.pingPong(open);
    }
  }

  private static boolean isUnknown(Mesh web) {
    try (MeshConnection stillServed = Traffic.connect(web, "api.pay", 80)) {
      return false;
    } catch (MeshException.PeerRefused refused) {
      return refused.status() == 503;
    }
  }

  @Test
  @DisplayName("IT-11 a rollout under load fails no request")
  void rollout() throws Exception {
    Path pods = file("pods", 3, 4);
    Mesh old = pod(pods, 3, Duration.ofSeconds(10));
    Mesh web = web(file("clients", 3));
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Set<String>> load =
        CompletableFuture.supplyAsync(() -> requestUntil(web, enough), threads);

    pod(pods, 4);
    file("clients", 3, 4);
    Eventually.holds("the new pod is used", () -> whoAnswers(web).equals("4"));
    file("clients", 4);
    Eventually.holds("the old pod is not used", () -> onlyTheNewOne(web));
    old.close();
    for (int i = 0; i < 50; i++) {
      assertThat(whoAnswers(web)).isEqualTo("4");
    }
    enough.set(true);

    assertThat(load.get(30, TimeUnit.SECONDS)).containsExactlyInAnyOrder("3", "4");
  }

  /** Were both in use, forty answers of one would be a miracle. */
  private static boolean onlyTheNewOne(Mesh web) {
    for (int i = 0; i < 40; i++) {
      if (!whoAnswers(web).equals("4")) {
        return false;
      }
    }
    return true;
  }

  /** Fails with the first request that fails. */
  private static Set<String> requestUntil(Mesh web, AtomicBoolean enough) {
    Set<String> answered = new HashSet<>();
    while (!enough.get()) {
      answered.add(whoAnswers(web));
    }
    return answered;
  }
}
