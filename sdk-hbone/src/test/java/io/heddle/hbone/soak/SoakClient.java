// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.PoolStatistics;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.hbone.rig.Await;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.netty.MeshTls;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A client that keeps so many tunnels going: when one is over it opens the next. */
final class SoakClient implements AutoCloseable {
  private static final Authority AUTHORITY = Authority.parse("10.0.0.5:8080");

  private final Round round;
  private final TestPki pki;
  private final SpiffeId id;
  private final SettableSource source;
  private final MeshTls tls;
  private final HboneClient client;
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean stopping;

  /**
   * @param loops shared with others, or null for loops of its own
   */
  SoakClient(
      Round round,
      TestPki pki,
      String name,
      HboneSettings settings,
      @Nullable EventLoopGroup loops) {
    this.round = round;
    this.pki = pki;
    id = SpiffeId.workload(pki.trustDomain(), "shop", name);
    source = pki.source(id.toString());
    tls = MeshTls.builder(source).build();
    HboneClient.Builder builder = HboneClient.builder(tls).settings(settings);
    if (loops != null) {
      builder.eventLoopGroup(loops);
    }
    client = builder.build();
  }

  void start(List<SoakServer> servers, int tunnels, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < tunnels; i++) {
      running.incrementAndGet();
      new Slot(servers, random.nextLong()).next();
    }
  }

  void rotate() {
    source.set(pki.snapshot(id.toString()));
  }

  void stop() {
    stopping = true;
  }

  int running() {
    return running.get();
  }

  boolean isIdle() {
    PoolStatistics now = client.statistics();
    return now.tunnels() == 0 && now.waiting() == 0;
  }

  @Override
  public void close() {
    Await.get(client.close(Duration.ofSeconds(1)));
    PoolStatistics left = client.statistics();
    if (left.connections() + left.leavingConnections() + left.connecting() + left.targets() != 0) {
      round.journal.fail("a closed client has something left: " + left);
    }
    tls.close();
    source.close();
  }

  @Override
  public String toString() {
    return id + " " + client.statistics();
  }

  /** One tunnel after the other. */
  private final class Slot {
    private final List<SoakServer> servers;
    private final Random random;
    private final Plan.Maker plans;

    Slot(List<SoakServer> servers, long seed) {
      this.servers = servers;
      random = new Random(seed);
      plans = new Plan.Maker(random.nextLong());
    }

    void next() {
      if (stopping) {
        running.decrementAndGet();
        return;
      }
      Passage passage = round.newPassage(plans);
      SoakServer server = servers.get(random.nextInt(servers.size()));
      FaultyRelay relay = round.relay(server);
      long began = System.nanoTime();
      Future<Tunnel> opening =
          client.open(
              new TunnelTarget(
                  relay.address(), List.of(server.id), null, AUTHORITY, Round.headers(passage)),
              passage.client);
      if (passage.plan.kind() == Plan.Kind.OPEN_ABORTED) {
        round
            .timer()
            .schedule(
                () -> {
                  if (opening.cancel(false)) {
                    passage.count(Happening.OPEN_ABORTED);
                  }
                },
                passage.plan.delayMicros() / 2,
                TimeUnit.MICROSECONDS);
      }
      opening.addListener(
          (Future<Tunnel> opened) -> {
            if (opened.isSuccess()) {
              opened.getNow().closeFuture().addListener(closed -> over(passage, relay));
            } else {
              refused(passage, opened, relay.troubledSince(began));
              again(passage);
            }
          });
    }

    private void over(Passage passage, FaultyRelay relay) {
      passage.client.closed(passage.wasDrained() || relay.harmedClient(passage.client.port()));
      again(passage);
    }

    private void refused(Passage passage, Future<Tunnel> opened, boolean excused) {
      if (opened.isCancelled()) {
        return;
      }
      Throwable cause = opened.cause();
      if (cause instanceof TunnelException.Refused refused) {
        passage.count(Happening.REFUSED);
        if (refused.status() != 503 || passage.plan.kind() != Plan.Kind.REFUSED) {
          passage.fail("a refusal that nobody wanted: " + cause);
        }
        return;
      }
      passage.count(Happening.OPEN_FAILED);
      if (!excused || !(cause instanceof TunnelException)) {
        passage.fail("an open failed, by nobody: " + cause);
      }
    }

    private void again(Passage passage) {
      passage.clientOver();
      round.forgetIfOver(passage);
      round.timer().execute(this::next);
    }
  }
}
