// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.MeshPair;
import io.heddle.benchmarks.contender.PlainVariant;
import io.heddle.benchmarks.contender.SocketContender;
import io.heddle.benchmarks.contender.TunnelContender;
import io.heddle.benchmarks.load.RequestLoad;
import java.time.Duration;
import java.util.List;

/** Requests a second and their latencies, on as many tunnels as plain connections. */
final class RequestBenchmark implements Benchmark {

  private static final List<PlainVariant> VARIANTS =
      List.of(
          PlainVariant.DEFAULTS,
          new PlainVariant(false, false, 16 << 10, true),
          new PlainVariant(true, true, 64 << 10, false));

  private final String name;
  private final int connections;
  private final int requests;

  private RequestBenchmark(String name, int connections, int requests) {
    this.name = name;
    this.connections = connections;
    this.requests = requests;
  }

  static RequestBenchmark concurrent() {
    return new RequestBenchmark("rr", 64, 160_000);
  }

  static RequestBenchmark lone() {
    return new RequestBenchmark("rr1", 1, 40_000);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(60);
  }

  @Override
  public void run(Session session) throws Exception {
    PlainVariant best =
        new Tuning<PlainVariant>("mtls", name, session)
            .best(VARIANTS, variant -> rate(session, variant));
    int count = requests * session.effort().scale();
    try (MeshPair meshes = new MeshPair(session.identities());
        TunnelContender hbone = TunnelContender.inProcess(meshes, TunnelContender.Port.FIRST);
        SocketContender mtls = SocketContender.mutualTls(session.tls(), best);
        SocketContender tcp = SocketContender.tcp();
        RequestLoad overHbone = new RequestLoad(hbone, connections);
        RequestLoad overMtls = new RequestLoad(mtls, connections);
        RequestLoad overTcp = new RequestLoad(tcp, connections)) {
      session
          .<RequestLoad.Result>rounds(name, 3)
          .run(
              List.of(
                  () -> overTcp.run(count), () -> overMtls.run(count), () -> overHbone.run(count)),
              round -> {
                figures(session, "tcp", round.get(0));
                figures(session, "mtls", round.get(1));
                figures(session, "hbone", round.get(2));
                return ratios(session, round.get(1), round.get(2));
              });
    }
  }

  private double rate(Session session, PlainVariant variant) throws Exception {
    try (SocketContender mtls = SocketContender.mutualTls(session.tls(), variant);
        RequestLoad load = new RequestLoad(mtls, connections)) {
      return load.run(requests / 2).rate();
    }
  }

  private void figures(Session session, String contender, RequestLoad.Result of) {
    session.figures().add(name + "." + contender + "_per_s", of.rate());
    session.figures().add(name + "." + contender + "_p50_us", of.p50Micros());
    session.figures().add(name + "." + contender + "_p99_us", of.p99Micros());
  }

  private double ratios(Session session, RequestLoad.Result mtls, RequestLoad.Result hbone) {
    double rate = hbone.rate() / mtls.rate();
    double median = hbone.p50Micros() / mtls.p50Micros();
    session.ratios().add(name + ".rate_vs_mtls", rate);
    session.ratios().add(name + ".p50_vs_mtls", median);
    session.ratios().add(name + ".p99_vs_mtls", hbone.p99Micros() / mtls.p99Micros());
    return connections == 1 ? median : rate;
  }
}
