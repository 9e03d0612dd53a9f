// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.MeshPair;
import io.heddle.benchmarks.contender.MutualTls;
import io.heddle.benchmarks.contender.PlainVariant;
import io.heddle.benchmarks.contender.SocketContender;
import io.heddle.benchmarks.contender.TunnelContender;
import io.heddle.benchmarks.load.OpenLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Tunnels opened and closed a second on warm connections, policy and delivery included, over full
 * mutual TLS handshakes a second. Of each as many are opened at a time as suits it best.
 */
final class OpenBenchmark implements Benchmark {

  private static final int HANDSHAKES = 1_500;
  private static final int TUNING_HANDSHAKES = 500;
  private static final int TUNNELS = 80_000;
  private static final int TUNING_TUNNELS = 40_000;
  private static final int[] CONCURRENCIES = {64, 8, 16, 32, 128};
  private static final Executor ON_THE_LOOP = Runnable::run;

  /** How many at a time, and whether their expensive part leaves the event loop. */
  private record Choice(int concurrency, boolean onLoop) {
    static List<Choice> all() {
      List<Choice> choices = new ArrayList<>();
      for (int concurrency : CONCURRENCIES) {
        choices.add(new Choice(concurrency, false));
        choices.add(new Choice(concurrency, true));
      }
      return choices;
    }

    @Nullable Executor executor() {
      return onLoop ? ON_THE_LOOP : null;
    }

    @Override
    public String toString() {
      return concurrency + " at a time, " + (onLoop ? "on the event loop" : "on threads beside");
    }
  }

  @Override
  public String name() {
    return "open";
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(75);
  }

  @Override
  public void run(Session session) throws Exception {
    Choice best =
        new Tuning<Choice>("mtls", name(), session)
            .best(Choice.all(), choice -> handshakes(session, choice, TUNING_HANDSHAKES));
    int scale = session.effort().scale();
    try (MeshPair meshes = new MeshPair(session.identities());
        TunnelContender hbone = TunnelContender.inProcess(meshes, TunnelContender.Port.FIRST)) {
      OpenLoad tunnels = OpenLoad.tunnels(hbone);
      int atOnce =
          new Tuning<Integer>("hbone", name(), session)
              .best(
                  Arrays.stream(CONCURRENCIES).boxed().toList(),
                  count -> tunnels.run(TUNING_TUNNELS, count));
      session
          .<Double>rounds(name(), 2)
          .run(
              List.of(
                  () -> handshakes(session, best, HANDSHAKES * scale),
                  () -> tunnels.run(TUNNELS * scale, atOnce)),
              round -> {
                double ratio = round.get(1) / round.get(0);
                session.ratios().add("open.vs_mtls_handshake", ratio);
                session.figures().add("open.mtls_handshakes_per_s", round.get(0));
                session.figures().add("open.hbone_per_s", round.get(1));
                return ratio;
              });
    }
  }

  private static double handshakes(Session session, Choice choice, int count) throws Exception {
    try (MutualTls tls = session.identities().mutualTls(choice.executor());
        SocketContender mtls = SocketContender.mutualTls(tls, PlainVariant.DEFAULTS)) {
      return OpenLoad.handshakes(mtls).run(count, choice.concurrency());
    }
  }
}
