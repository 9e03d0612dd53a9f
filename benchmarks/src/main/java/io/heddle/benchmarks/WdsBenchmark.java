// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.idle.MemoryUse;
import io.heddle.benchmarks.index.LargeIndex;
import java.time.Duration;
import java.util.List;

/** The index of 100 000 workloads and 10 000 services, beside protobuf and a hash map. */
final class WdsBenchmark implements Benchmark {

  private static final int PODS = 100_000;
  private static final int WARM_UPS = 6;

  @Override
  public String name() {
    return "wds";
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(60);
  }

  @Override
  public void run(Session session) throws Exception {
    LargeIndex large = new LargeIndex(PODS);
    compare(session, "wds.load_100k_seconds_vs_parse", large::parse, large::loadAnew);
    compare(session, "wds.update_vs_parse", large::parseUpdates, large::update);
    session.figures().add("wds.update_p99_us", large.updateP99());
    compare(session, "wds.lookup_vs_hashmap", large::lookUpInMap, large::lookUpInIndex);
    large.forget();
    long without = MemoryUse.now().heap();
    large.loadAnew();
    long with = MemoryUse.now().heap();
    session.ratios().add("wds.heap_bytes_per_workload", (double) (with - without) / PODS);
  }

  private static void compare(
      Session session, String key, Rounds.Turn<Double> floor, Rounds.Turn<Double> product)
      throws Exception {
    session
        .<Double>rounds(key, WARM_UPS)
        .run(
            List.of(floor, product),
            round -> {
              double ratio = round.get(1) / round.get(0);
              session.ratios().add(key, ratio);
              session.figures().add(key + ".floor_s", round.get(0));
              session.figures().add(key + ".product_s", round.get(1));
              return ratio;
            });
  }
}
