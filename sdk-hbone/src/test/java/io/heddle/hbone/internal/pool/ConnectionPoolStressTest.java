// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.internal.transport.Transport;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.rig.Await;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConnectionPoolStressTest {

  private static final int THREADS = 4;
  private static final int OPENS = 5_000;

  @Test
  @DisplayName("many threads, loops and connections: every open ends, no limit is ever exceeded")
  void manyThreads() throws Exception {
    EventLoopGroup loops = Transport.preferred().newGroup(3, "stress");
    AtomicInteger dials = new AtomicInteger();
    HboneSettings settings =
        HboneSettings.defaults().toBuilder()
            .maxConnectionsPerTarget(5)
            .maxWaitingPerTarget(THREADS * OPENS)
            .build();
    ConnectionPool pool =
        new ConnectionPool(
            loops,
            settings,
            10,
            (loop, target) -> {
              // Each connection lives for some tunnels only, then says GOAWAY.
              ClientConnection connection =
                  FakeConnection.shortLived(loop, 3 + dials.incrementAndGet() % 10, 100);
              return loop.newSucceededFuture(connection);
            });
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<java.util.concurrent.Future<List<Future<Tunnel>>>> callers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        callers.add(threads.submit(() -> open(pool, loops)));
      }
      for (java.util.concurrent.Future<List<Future<Tunnel>>> caller : callers) {
        for (Future<Tunnel> tunnel : caller.get()) {
          Await.get(tunnel);
        }
      }

      assertThat(dials.get()).isGreaterThan(100);
      Await.get(pool.close(Duration.ZERO));
      assertThat(pool.statistics().targets()).isZero();
    } finally {
      threads.shutdownNow();
      Await.get(loops.shutdownGracefully(0, 5, TimeUnit.SECONDS));
    }
  }

  private static List<Future<Tunnel>> open(ConnectionPool pool, EventLoopGroup loops) {
    List<Future<Tunnel>> tunnels = new ArrayList<>();
    for (int i = 0; i < OPENS; i++) {
      EventLoop preferred = loops.next();
      tunnels.add(pool.open(PoolFixture.WEB, new ChannelInboundHandlerAdapter(), preferred));
    }
    return tunnels;
  }
}
