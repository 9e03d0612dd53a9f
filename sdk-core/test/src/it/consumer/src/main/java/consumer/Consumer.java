// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0
package consumer;

import io.heddle.ConnectionHandler;
import io.heddle.Mesh;
import io.heddle.MeshConnection;
import io.heddle.MeshException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Two meshes in one process, built from nothing but the BOM and heddle-core. */
public final class Consumer {

  public static void main(String[] args) throws Exception {
    String loopback = "127.77." + (ProcessHandle.current().pid() % 250 + 1) + ".";
    String yaml =
        """
        workloads:
        - {uid: a, name: client, namespace: it, serviceAccount: client, workloadIps: ["%1$s1"], protocol: HBONE, services: {}}
        - {uid: b, name: server, namespace: it, serviceAccount: server, workloadIps: ["%1$s2"], protocol: HBONE, services: {it/server.it.svc.cluster.local: {80: 8080}}}
        services:
        - {name: server, namespace: it, hostname: server.it.svc.cluster.local, vips: ["/%1$s3"], ports: {80: 8080}}
        policies: []
        """
            .formatted(loopback);
    Path directory = Files.createTempDirectory("consumer-");
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Mesh server = mesh(yaml, directory.resolve("ca"), "it/server/server");
        Mesh client = mesh(yaml, directory.resolve("ca"), "it/client/client")) {
      ConnectionHandler greeter =
          connection -> {
            String caller = connection.peer().orElseThrow().spiffeId().toString();
            connection.output().write(caller.getBytes(StandardCharsets.UTF_8));
            connection.shutdownOutput();
            connection.input().readAllBytes();
          };
      server.expose(8080, greeter, threads);
      String greeting = call(client);
      if (!greeting.equals("spiffe://cluster.local/ns/it/sa/client")) {
        throw new IllegalStateException("unexpected greeting: " + greeting);
      }
      System.out.println("the server greets " + greeting);
      try {
        client.connect("server.it", 81).toCompletableFuture().join();
        throw new IllegalStateException("a port that the service lacks was connected");
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof MeshException.NoRoute)) {
          throw e;
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Mesh mesh(String yaml, Path directory, String workload) {
    return Mesh.builder()
        .localConfiguration(yaml)
        .developmentDirectory(directory)
        .workload(workload)
        .start();
  }

  private static String call(Mesh client) throws IOException {
    try (MeshConnection connection = client.connect("server.it", 80).toCompletableFuture().join()) {
      connection.shutdownOutput();
      return new String(connection.input().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
