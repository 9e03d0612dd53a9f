// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.idle.IdleTunnels;
import java.time.Duration;
import java.util.List;

/**
 * Heap and direct memory of an idle established tunnel. Each round has fresh processes, one for
 * each end; the costlier end counts.
 */
final class IdleBenchmark implements Benchmark {

  private static final int TUNNELS = 10_000;

  /** Fresh processes hardly differ, and take long. */
  private static final int ROUNDS = 5;

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(75);
  }

  @Override
  public void run(Session session) throws Exception {
    new Rounds<IdleTunnels.Costs>(name(), 0, ROUNDS, session.progress())
        .run(List.of(() -> IdleTunnels.measure(TUNNELS)), round -> keep(session, round.get(0)));
  }

  private static double keep(Session session, IdleTunnels.Costs costs) {
    double costlier = Math.max(costs.client().total(), costs.server().total());
    session.ratios().add("idle.bytes_per_tunnel", costlier);
    session.figures().add("idle.client_heap_bytes", costs.client().heap());
    session.figures().add("idle.client_direct_bytes", costs.client().direct());
    session.figures().add("idle.server_heap_bytes", costs.server().heap());
    session.figures().add("idle.server_direct_bytes", costs.server().direct());
    return costlier;
  }
}
