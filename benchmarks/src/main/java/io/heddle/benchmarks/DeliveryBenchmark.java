// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.MeshPair;
import io.heddle.benchmarks.contender.TunnelContender;
import io.heddle.benchmarks.load.RequestLoad;
import java.time.Duration;
import java.util.List;

/**
 * Requests a second when the server's mesh delivers inside the process, over delivery by loopback
 * TCP to a plain Netty server. The client's side is the same.
 */
final class DeliveryBenchmark implements Benchmark {

  private static final int TUNNELS = 64;
  private static final int REQUESTS = 160_000;

  @Override
  public String name() {
    return "inproc";
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(30);
  }

  @Override
  public void run(Session session) throws Exception {
    int count = REQUESTS * session.effort().scale();
    try (MeshPair meshes = new MeshPair(session.identities());
        TunnelContender inside = TunnelContender.inProcess(meshes, TunnelContender.Port.FIRST);
        TunnelContender beside = TunnelContender.loopback(meshes, TunnelContender.Port.SECOND);
        RequestLoad toInside = new RequestLoad(inside, TUNNELS);
        RequestLoad toBeside = new RequestLoad(beside, TUNNELS)) {
      session
          .<RequestLoad.Result>rounds(name(), 2)
          .run(
              List.of(() -> toBeside.run(count), () -> toInside.run(count)),
              round -> {
                double ratio = round.get(1).rate() / round.get(0).rate();
                session.ratios().add("inproc.vs_loopback", ratio);
                session.figures().add("inproc.loopback_per_s", round.get(0).rate());
                session.figures().add("inproc.in_process_per_s", round.get(1).rate());
                return ratio;
              });
    }
  }
}
