// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Disturbs connections, servers and certificates, one after the other, each kind as often. */
final class Disturber {
  private static final int PERIOD_MILLIS = 100;
  private static final int LONGEST_STALL_MILLIS = 200;
  private static final int LONGEST_GRACE_MILLIS = 1_500;

  private static final List<Happening> KINDS =
      List.of(
          Happening.CONNECTION_RESET,
          Happening.CONNECTION_ENDED,
          Happening.CONNECTION_STALLED,
          Happening.CLIENT_ROTATED,
          Happening.SERVER_ROTATED,
          Happening.SERVER_RESTARTED);

  private final List<SoakServer> servers;
  private final Map<SoakServer, FaultyRelay> relays;
  private final List<SoakClient> clients;
  private final Journal journal;
  private final Random random;
  private final ScheduledExecutorService timer;
  private final Deque<Happening> bag = new ArrayDeque<>();
  private boolean stopped;

  Disturber(
      Map<SoakServer, FaultyRelay> relays,
      List<SoakClient> clients,
      Journal journal,
      long seed,
      ScheduledExecutorService timer) {
    this.servers = new ArrayList<>(relays.keySet());
    this.relays = relays;
    this.clients = clients;
    this.journal = journal;
    this.timer = timer;
    random = new Random(seed);
  }

  synchronized void start() {
    if (!stopped) {
      timer.schedule(this::next, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  synchronized void stop() {
    stopped = true;
  }

  private void next() {
    if (bag.isEmpty()) {
      List<Happening> kinds = new ArrayList<>(KINDS);
      Collections.shuffle(kinds, random);
      bag.addAll(kinds);
    }
    Happening kind = bag.remove();
    try {
      if (happens(kind)) {
        journal.count(kind);
      }
    } catch (RuntimeException | AssertionError e) {
      journal.fail(kind + " failed: " + e);
    }
    start();
  }

  private boolean happens(Happening kind) {
    SoakServer server = servers.get(random.nextInt(servers.size()));
    SoakClient client = clients.get(random.nextInt(clients.size()));
    FaultyRelay relay = relays.get(server);
    switch (kind) {
      case CONNECTION_RESET, CONNECTION_ENDED -> {
        return relay.cut(random, kind == Happening.CONNECTION_RESET);
      }
      case CONNECTION_STALLED -> {
        return relay.stall(random, 1 + random.nextInt(LONGEST_STALL_MILLIS));
      }
      case CLIENT_ROTATED -> client.rotate();
      case SERVER_ROTATED -> server.rotate();
      case SERVER_RESTARTED -> {
        relay.trouble();
        server.restart(Duration.ofMillis(random.nextInt(3) * LONGEST_GRACE_MILLIS / 2));
        relay.trouble();
      }
      default -> throw new IllegalArgumentException(kind + " is not of our making");
    }
    return true;
  }
}
