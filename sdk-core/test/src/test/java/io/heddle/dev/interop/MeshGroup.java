// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import io.heddle.Mesh;
import io.heddle.MeshBuilder;
import io.heddle.MeshConnection;
import io.heddle.UnknownDestinations;
import io.heddle.testing.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** The meshes of one test. Nobody of them leaves the mesh. */
final class MeshGroup implements AutoCloseable {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();

  Mesh start(Map<String, String> environment) {
    return start(environment, builder -> builder);
  }

  Mesh start(Map<String, String> environment, UnaryOperator<MeshBuilder> more) {
    Mesh mesh =
        more.apply(
                Mesh.builder()
                    .fromEnvironment(environment)
                    .unknownDestinations(UnknownDestinations.REFUSE)
                    .eventLoops(1)
                    .drainPeriod(Duration.ofMillis(100))
                    .withoutAdmin())
            .start();
    closers.push(mesh);
    return mesh;
  }

  /** Tells each caller on a port the caller's name. */
  void greet(Mesh mesh, int port) {
    mesh.expose(
        port,
        connection -> {
          String caller =
              connection.peer().map(peer -> peer.spiffeId().toString()).orElse("nobody");
          connection.output().write((caller + "\n").getBytes(StandardCharsets.UTF_8));
          connection.output().flush();
          connection.shutdownOutput();
        },
        threads);
  }

  /** What the greeting says; fails as the connection does. */
  static String ask(Mesh mesh, String host, int port) {
    try (MeshConnection connection = mesh.connect(host, port).toCompletableFuture().join()) {
      return new BufferedReader(new InputStreamReader(connection.input(), StandardCharsets.UTF_8))
          .readLine();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Waits until connecting fails in that way. */
  static void awaitFailure(Mesh mesh, String host, int port, Class<? extends Exception> how) {
    Eventually.holds(
        host + " fails by " + how.getSimpleName(), () -> how.isInstance(failure(mesh, host, port)));
  }

  static void awaitGreeting(Mesh mesh, String host, int port) {
    Eventually.holds(host + " answers", () -> failure(mesh, host, port) == null);
  }

  private static Exception failure(Mesh mesh, String host, int port) {
    try {
      ask(mesh, host, port);
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  @Override
  public void close() throws Exception {
    while (!closers.isEmpty()) {
      closers.pop().close();
    }
    threads.shutdownNow();
  }
}
