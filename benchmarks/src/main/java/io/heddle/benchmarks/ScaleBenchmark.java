// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.index.Joining;
import java.time.Duration;
import java.util.List;

/**
 * Whether a process of 1 GiB heap comes to know a mesh of 100 000 workloads that arrives as one
 * message, and one of a million in messages of 10 000 resources. What it took is reported.
 */
final class ScaleBenchmark implements Benchmark {

  private static final int LARGE = 100_000;
  private static final int VERY_LARGE = 1_000_000;
  private static final int ALL = Integer.MAX_VALUE;
  private static final int SOME = 10_000;
  private static final int ROUNDS = 3;

  @Override
  public String name() {
    return "scale";
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(90);
  }

  @Override
  public void run(Session session) throws Exception {
    session.found().fact("scale.flags", String.join(" ", Joining.FLAGS));
    join(session, "scale.100k_in_one_message", LARGE, ALL);
    join(session, "scale.1m_in_messages_of_10k", VERY_LARGE, SOME);
  }

  private static void join(Session session, String key, int workloads, int each) throws Exception {
    new Rounds<Joining>(key, 0, ROUNDS, session.progress())
        .run(
            List.of(() -> Joining.measure(workloads, each)),
            round -> {
              Joining joining = round.get(0);
              session.figures().add(key + "_s", joining.seconds());
              session.figures().add(key + "_heap_bytes", joining.heapBytesPerWorkload());
              session.figures().add(key + "_direct_mib", joining.directMebibytes());
              return joining.seconds();
            });
  }
}
