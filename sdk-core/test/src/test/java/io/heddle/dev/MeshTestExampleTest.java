// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Mesh;
import io.heddle.MeshConnection;
import io.heddle.MeshException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The example of the README, as a user writes it. */
@MeshTest(
    workloads = {"shop/web", "shop/intruder"},
    services = @Serves("shop/inventory"),
    policies = @Allow(to = "shop/inventory", from = "shop/web"))
class MeshTestExampleTest {

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void serve(@Member("shop/inventory") Mesh inventory) {
    inventory.expose(
        8080,
        connection -> {
          String caller = connection.peer().orElseThrow().serviceAccount().orElseThrow();
          connection.output().write(("hello " + caller).getBytes(StandardCharsets.UTF_8));
          connection.shutdownOutput();
          connection.input().readAllBytes();
        },
        threads);
  }

  @AfterEach
  void end() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void theWebShopIsServed(Mesh web) throws Exception {
    try (MeshConnection connection =
        web.connect("inventory.shop", 80).toCompletableFuture().join()) {
      connection.shutdownOutput();
      assertThat(connection.input().readAllBytes()).asString().isEqualTo("hello web");
    }
  }

  @Test
  void theIntruderIsNot(Mesh intruder) {
    assertThatThrownBy(() -> intruder.connect("inventory.shop", 80).toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(MeshException.PolicyDenied.class);
  }

  @Test
  void aPolicyIsPushed(Mesh web, LocalControlPlane plane) {
    plane.publish(
        plane.state().toBuilder().deny("shop/closed", "shop/inventory", "shop/web").build());
    plane.awaitSync(Duration.ofSeconds(30));

    assertThatThrownBy(() -> web.connect("inventory.shop", 80).toCompletableFuture().join())
        .hasCauseInstanceOf(MeshException.PolicyDenied.class);
  }
}
