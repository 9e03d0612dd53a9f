// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.heddle.Mesh;
import io.heddle.PeerIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Answers how much is in stock. An ordinary HTTP server of the JDK, bound to loopback: the mesh
 * delivers what peers send to port 8080, and tells who they are.
 */
final class InventoryService {

  private static final int MESH_PORT = 8080;
  private static final int SLOW_ANSWER_MILLIS = 1_500;

  private final Mesh mesh;
  private final Set<PeerIdentity> seen = ConcurrentHashMap.newKeySet();

  private InventoryService(Mesh mesh) {
    this.mesh = mesh;
  }

  public static void main(String[] args) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    try (Mesh mesh = Service.startMesh(args, "shop/inventory/inventory")) {
      InventoryService service = new InventoryService(mesh);
      server.createContext("/stock", service::stock);
      server.createContext("/slow", service::slow);
      server.start();
      mesh.expose(MESH_PORT, server.getAddress().getPort());
      for (InetSocketAddress hbone : mesh.hboneAddresses()) {
        Service.event("hbone", hbone.getAddress().getHostAddress() + ":" + hbone.getPort());
      }
      Service.serve(command -> Service.event("unknown-command", command));
    }
    server.stop(0);
    threads.shutdown();
  }

  private void stock(HttpExchange exchange) throws IOException {
    Optional<PeerIdentity> caller = mesh.peerOf(exchange.getRemoteAddress());
    if (caller.isEmpty()) {
      answer(exchange, 403, "callers come through the mesh");
      return;
    }
    if (seen.add(caller.get())) {
      Service.event("caller", caller.get());
    }
    answer(exchange, 200, "42 heddles for " + caller.get().serviceAccount().orElse("nobody"));
  }

  private void slow(HttpExchange exchange) throws IOException {
    Service.event("slow-call-arrived", "");
    try {
      TimeUnit.MILLISECONDS.sleep(SLOW_ANSWER_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    answer(exchange, 200, "took its time");
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
