// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.internal.transport.Transport;
import io.heddle.hbone.rig.Await;
import io.heddle.testing.TestPki;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** A mesh of clients, relays and servers, from its first to its last thread. */
final class Round implements AutoCloseable {
  private static final int TUNNELS_PER_CLIENT = 16;

  final Journal journal;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "soak-timer"));
  private final ScheduledExecutorService disturbances =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "soak-disturber"));
  private final EventLoopGroup serverLoops = Transport.preferred().newGroup(2, "soak-server");
  private final EventLoopGroup clientLoops = Transport.preferred().newGroup(2, "soak-client");
  private final EventLoopGroup relayLoops = Transport.preferred().newGroup(1, "soak-relay");
  private final Map<SoakServer, FaultyRelay> servers = new LinkedHashMap<>();
  private final List<SoakClient> clients = new ArrayList<>();
  private final Map<String, Passage> passages = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Disturber disturber;

  Round(long seed, Journal journal) {
    this.journal = journal;
    Random random = new Random(seed);
    TestPki pki = TestPki.create("cluster.local");
    HboneSettings defaults = HboneSettings.defaults();
    HboneSettings narrow =
        defaults.toBuilder()
            .streamWindowBytes(64 << 10)
            .connectionWindowBytes(256 << 10)
            .maxFrameBytes(16 << 10)
            .maxStreamsPerConnection(8)
            .idleTimeout(Duration.ofMillis(200))
            .pingInterval(Duration.ofMillis(100))
            .build();
    addServer(new SoakServer(this, pki, "web", defaults, serverLoops));
    addServer(new SoakServer(this, pki, "reviews", narrow, serverLoops));
    addServer(new SoakServer(this, pki, "ratings", defaults, null));
    clients.add(new SoakClient(this, pki, "batch", defaults, clientLoops));
    clients.add(new SoakClient(this, pki, "cart", narrow, clientLoops));
    clients.add(new SoakClient(this, pki, "search", defaults, null));
    disturber = new Disturber(servers, clients, journal, random.nextLong(), disturbances);
    for (SoakClient client : clients) {
      client.start(new ArrayList<>(servers.keySet()), TUNNELS_PER_CLIENT, random.nextLong());
    }
    disturber.start();
  }

  private void addServer(SoakServer server) {
    servers.put(server, new FaultyRelay(relayLoops, server.address));
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  FaultyRelay relay(SoakServer server) {
    return servers.get(server);
  }

  Passage newPassage(Plan.Maker maker) {
    Passage passage = new Passage(maker.next(numbers.incrementAndGet()), journal);
    passages.put(headers(passage).baggage(), passage);
    return passage;
  }

  static TunnelHeaders headers(Passage passage) {
    return new TunnelHeaders("k8s.pod.name=" + passage.plan.number(), null, null, null);
  }

  Passage passage(TunnelHeaders headers) {
    return passages.get(headers.baggage());
  }

  void forgetIfOver(Passage passage) {
    if (passage.isOver()) {
      passages.remove(headers(passage).baggage());
    }
  }

  int open() {
    return clients.stream().mapToInt(SoakClient::running).sum();
  }

  /** No more disturbances and no more tunnels; those that are open come to their end. */
  private void settle() throws InterruptedException {
    disturber.stop();
    end(disturbances);
    clients.forEach(SoakClient::stop);
    await("every tunnel of the clients is over", () -> open() == 0);
    await(
        "every tunnel of the servers is over",
        () -> servers.keySet().stream().allMatch(server -> server.open() == 0));
    await("the pools carry no tunnel", () -> clients.stream().allMatch(SoakClient::isIdle));
  }

  private void await(String what, BooleanSupplier condition) {
    try {
      Await.until(what, condition);
    } catch (AssertionError e) {
      journal.fail(e.getMessage());
      passages.values().stream()
          .filter(Passage::lingersAtServer)
          .limit(5)
          .forEach(passage -> passage.fail("the server still has it"));
      clients.forEach(client -> journal.fail(client.toString()));
    }
  }

  @Override
  public void close() throws InterruptedException {
    settle();
    clients.forEach(SoakClient::close);
    servers.keySet().forEach(SoakServer::close);
    for (SoakServer server : servers.keySet()) {
      if (server.connections() != 0) {
        journal.fail("a drained server counts " + server.connections() + " connections");
      }
    }
    servers.values().forEach(FaultyRelay::close);
    for (EventLoopGroup loops : List.of(serverLoops, clientLoops, relayLoops)) {
      Await.get(loops.shutdownGracefully(0, 10, TimeUnit.SECONDS));
    }
    end(timer);
  }

  private void end(ScheduledExecutorService executor) throws InterruptedException {
    executor.shutdown();
    if (!executor.awaitTermination(30, TimeUnit.SECONDS)) {
      journal.fail("a thread of the soak does not end: " + executor);
    }
  }
}
