// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import io.heddle.Mesh;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Calls the inventory with an ordinary HTTP client whose sockets come from the mesh. */
final class StorefrontService {

  private static final String INVENTORY = "http://inventory.shop";

  /** Spreads the load over several lifetimes of a certificate. */
  private static final int LOAD_SECONDS = 12;

  private static final int CALLERS = 8;

  private final Mesh mesh;
  private final OkHttpClient http;
  private final ScheduledExecutorService callers = Executors.newScheduledThreadPool(CALLERS);

  private StorefrontService(Mesh mesh) {
    this.mesh = mesh;
    this.http =
        new OkHttpClient.Builder()
            .socketFactory(mesh.socketFactory())
            // The mesh resolves names itself: the client only has to hand the name on.
            .dns(name -> List.of(InetAddress.getByAddress(name, new byte[] {0, 0, 0, 0})))
            .retryOnConnectionFailure(false)
            .build();
  }

  public static void main(String[] args) throws Exception {
    try (Mesh mesh = Service.startMesh(args, "shop/storefront/storefront")) {
      StorefrontService service = new StorefrontService(mesh);
      Service.serve(service::command);
      service.callers.shutdownNow();
      service.http.connectionPool().evictAll();
      service.http.dispatcher().executorService().shutdown();
    }
  }

  private void command(String command) throws Exception {
    if (command.equals("call")) {
      Service.event("answer", get("/stock"));
    } else if (command.startsWith("load ")) {
      load(Integer.parseInt(command.substring(5)));
    } else if (command.equals("slow-call")) {
      callers.execute(() -> Service.event("slow-answer", tryGet("/slow")));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The latch tells the end.
  private void load(int requests) throws InterruptedException {
    AtomicInteger started = new AtomicInteger();
    AtomicInteger ok = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(requests);
    Runnable request =
        () -> {
          if (started.incrementAndGet() > requests) {
            return;
          }
          boolean good = tryGet("/stock").startsWith("200 ");
          int total = good ? ok.incrementAndGet() + failed.get() : failed.incrementAndGet();
          if (total % 250 == 0) {
            Service.event("progress", total + " requests");
          }
          done.countDown();
        };
    long periodMicros = TimeUnit.SECONDS.toMicros(LOAD_SECONDS) * CALLERS / requests;
    for (int i = 0; i < CALLERS; i++) {
      callers.scheduleAtFixedRate(
          request, i * periodMicros / CALLERS, periodMicros, TimeUnit.MICROSECONDS);
    }
    done.await();
    Service.event(
        "load",
        "ok=" + ok + " failed=" + failed + " connections=" + mesh.statistics().connectionsOpened());
  }

  private String tryGet(String path) {
    try {
      return get(path);
    } catch (IOException e) {
      Service.event("failed-call", e);
      return "failed";
    }
  }

  private String get(String path) throws IOException {
    Request request = new Request.Builder().url(INVENTORY + path).build();
    try (Response response = http.newCall(request).execute()) {
      return response.code() + " " + response.body().string();
    }
  }
}
