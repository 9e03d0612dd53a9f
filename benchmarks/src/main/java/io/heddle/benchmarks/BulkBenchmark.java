// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.MeshPair;
import io.heddle.benchmarks.contender.PlainVariant;
import io.heddle.benchmarks.contender.SocketContender;
import io.heddle.benchmarks.contender.TunnelContender;
import io.heddle.benchmarks.load.BulkLoad;
import io.heddle.benchmarks.load.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Bytes a second, and processor time for each byte, in one direction over one connection. */
final class BulkBenchmark implements Benchmark {

  private static final long ROUND_BYTES = 512L << 20;
  private static final long TUNING_BYTES = 128L << 20;

  /** What an application and its plain connection may choose. The tunnel gets the same writes. */
  private record Choice(int chunk, PlainVariant variant) {
    static List<Choice> all() {
      List<Choice> choices = new ArrayList<>();
      for (int chunk : new int[] {64 << 10, 16 << 10, 256 << 10}) {
        for (PlainVariant variant : VARIANTS) {
          choices.add(new Choice(chunk, variant));
        }
      }
      return choices;
    }

    @Override
    public String toString() {
      return (chunk >> 10) + " KiB writes, " + variant;
    }
  }

  private static final List<PlainVariant> VARIANTS =
      List.of(
          PlainVariant.DEFAULTS,
          new PlainVariant(true, false, 16 << 10, false),
          new PlainVariant(true, true, 16 << 10, false),
          new PlainVariant(true, false, 64 << 10, false),
          new PlainVariant(true, true, 64 << 10, true));

  private final String name;
  private final int tunnels;

  private BulkBenchmark(String name, int tunnels) {
    this.name = name;
    this.tunnels = tunnels;
  }

  /** One tunnel; tells of processor time too. */
  static BulkBenchmark one() {
    return new BulkBenchmark("bulk", 1);
  }

  /** Eight tunnels of one pool, against the same single connection. */
  static BulkBenchmark eight() {
    return new BulkBenchmark("bulk8", 8);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(40);
  }

  @Override
  public void run(Session session) throws Exception {
    Choice best =
        new Tuning<Choice>("mtls", name, session)
            .best(Choice.all(), choice -> rate(session, choice));
    long bytes = ROUND_BYTES * session.effort().scale();
    try (MeshPair meshes = new MeshPair(session.identities());
        TunnelContender hbone = TunnelContender.inProcess(meshes, TunnelContender.Port.FIRST);
        SocketContender mtls = SocketContender.mutualTls(session.tls(), best.variant());
        SocketContender tcp = SocketContender.tcp();
        BulkLoad overHbone = new BulkLoad(hbone, tunnels, best.chunk());
        BulkLoad overMtls = new BulkLoad(mtls, 1, best.chunk());
        BulkLoad overTcp = new BulkLoad(tcp, 1, best.chunk())) {
      NegotiatedTls.compare(
          overMtls.channels().get(0), overHbone.channels().get(0), session.found());
      session
          .<Transfer>rounds(name, 2)
          .run(
              List.of(
                  () -> overTcp.run(bytes), () -> overMtls.run(bytes), () -> overHbone.run(bytes)),
              round -> keep(session, round.get(0), round.get(1), round.get(2)));
    }
  }

  private static double rate(Session session, Choice choice) throws Exception {
    try (SocketContender mtls = SocketContender.mutualTls(session.tls(), choice.variant());
        BulkLoad load = new BulkLoad(mtls, 1, choice.chunk())) {
      return load.run(TUNING_BYTES).megabytesPerSecond();
    }
  }

  private double keep(Session session, Transfer tcp, Transfer mtls, Transfer hbone) {
    double ratio = hbone.megabytesPerSecond() / mtls.megabytesPerSecond();
    session.ratios().add(name + ".hbone_vs_mtls", ratio);
    session.figures().add(name + ".tcp_mb_per_s", tcp.megabytesPerSecond());
    session.figures().add(name + ".mtls_mb_per_s", mtls.megabytesPerSecond());
    session.figures().add(name + ".hbone_mb_per_s", hbone.megabytesPerSecond());
    if (tunnels == 1) {
      session.ratios().add("cpu.hbone_vs_mtls", hbone.cpuNanosPerByte() / mtls.cpuNanosPerByte());
      session.figures().add("cpu.tcp_ns_per_byte", tcp.cpuNanosPerByte());
      session.figures().add("cpu.mtls_ns_per_byte", mtls.cpuNanosPerByte());
      session.figures().add("cpu.hbone_ns_per_byte", hbone.cpuNanosPerByte());
    }
    return ratio;
  }
}
