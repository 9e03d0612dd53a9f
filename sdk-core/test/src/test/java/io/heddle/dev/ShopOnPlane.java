// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Mesh;
import io.heddle.MeshBuilder;
import io.heddle.MeshConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** The web shop and its inventory, as meshes that a control plane tells about each other. */
final class ShopOnPlane implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String GREETING = "hello ";

  final LocalControlPlane plane;
  private final MeshState whole;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();

  ShopOnPlane() {
    this(builder -> builder);
  }

  ShopOnPlane(UnaryOperator<LocalControlPlaneBuilder> more) {
    LoopbackAddresses addresses = LoopbackAddresses.find(3, new SplittableRandom());
    whole =
        MeshState.builder()
            .workload("shop/web", addresses.next())
            .workload("shop/inventory", addresses.next())
            .workload("shop/intruder", addresses.next())
            .service("shop/inventory", "240.240.0.1", 80, 8080, "shop/inventory")
            .allow("shop/only-web", "shop/inventory", "shop/web")
            .build();
    plane = more.apply(LocalControlPlane.builder().state(whole)).start();
    closers.push(plane);
    closers.push(
        () -> {
          threads.shutdownNow();
          assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        });
  }

  /** The state at the start, to make others of it. */
  MeshStateBuilder state() {
    return whole.toBuilder();
  }

  Mesh start(String workload) {
    return start(workload, builder -> builder);
  }

  Mesh start(String workload, UnaryOperator<MeshBuilder> more) {
    Mesh mesh =
        more.apply(
                Mesh.builder()
                    .fromEnvironment(plane.environment(workload))
                    .eventLoops(1)
                    .drainPeriod(Duration.ofMillis(100)))
            .start();
    closers.push(mesh);
    return mesh;
  }

  /** The inventory, which greets each caller by name and then echoes. */
  Mesh startInventory() {
    Mesh inventory = start("shop/inventory");
    inventory.expose(
        8080,
        connection -> {
          String caller = connection.peer().orElseThrow().serviceAccount().orElseThrow();
          connection.output().write((GREETING + caller + "\n").getBytes(StandardCharsets.UTF_8));
          connection.output().flush();
          connection.input().transferTo(connection.output());
          connection.shutdownOutput();
        },
        threads);
    return inventory;
  }

  /** Connects, is greeted, and leaves the connection open. */
  MeshConnection connect(Mesh mesh) throws IOException {
    MeshConnection connection;
    try {
      connection = mesh.connect("inventory.shop", 80).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
    closers.push(connection);
    StringBuilder line = new StringBuilder();
    int next = connection.input().read();
    while (next != '\n' && next >= 0) {
      line.append((char) next);
      next = connection.input().read();
    }
    assertThat(line.toString()).startsWith(GREETING);
    return connection;
  }

  /** One byte there and back: the connection carries traffic. */
  static void assertAlive(MeshConnection connection) throws IOException {
    connection.output().write('x');
    connection.output().flush();
    assertThat(connection.input().read()).isEqualTo('x');
  }

  /** Looks again and again; how soon is nobody's promise. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("%s, within %s", what, LIMIT).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  @Override
  public void close() throws Exception {
    while (!closers.isEmpty()) {
      closers.pop().close();
    }
  }
}
