// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.heddle.benchmarks.SocketContender.MutualTls;
import io.heddle.identity.netty.MeshTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same work over raw TCP, over plain mutual TLS and over the mesh, in turns, in one process.
 * Prints a table and writes {@code ratios.json}: flat keys, numbers; each ratio with the median,
 * least and greatest of its rounds. Absolute figures are reported, never judged.
 */
public final class WholeSystem {

  private static final int ROUNDS = 5;
  private static final long BULK_BYTES = 256L << 20;
  private static final int CONNECTIONS = 64;
  private static final int REQUESTS = 1_000;
  private static final int LONE_REQUESTS = 10_000;

  private final Samples ratios = new Samples();
  private final Samples figures = new Samples();

  private WholeSystem() {}

  /**
   * Runs every whole-system benchmark.
   *
   * @param args the folder to write to
   * @throws Exception when a contender fails
   */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args.length > 0 ? args[0] : "target");
    new WholeSystem().run(directory);
  }

  private void run(Path directory) throws Exception {
    Files.createDirectories(directory);
    Files.deleteIfExists(directory.resolve("ratios.json"));
    try (BenchMesh mesh = new BenchMesh();
        MeshTls clientTls = MeshTls.builder(mesh.client()).build();
        MeshTls serverTls = MeshTls.builder(mesh.server()).build()) {
      System.out.printf(
          "JDK %s, NIO, TLS by %s, %d processors%n",
          System.getProperty("java.version"),
          clientTls.description(),
          Runtime.getRuntime().availableProcessors());
      MutualTls tls = new MutualTls(clientTls, serverTls, BenchMesh.SERVER);
      bulk(mesh, tls);
      requests(mesh, tls, CONNECTIONS, REQUESTS, "rr");
      requests(mesh, tls, 1, LONE_REQUESTS, "rr1");
    }
    print();
    write(directory.resolve("ratios.json"), ratios.flat());
    write(directory.resolve("figures.json"), figures.flat());
  }

  private void bulk(BenchMesh mesh, MutualTls tls) throws Exception {
    try (Contender tcp = SocketContender.tcp();
        Contender mtls = SocketContender.mutualTls(tls);
        Contender hbone = new MeshContender(mesh.client(), mesh.server())) {
      List<BulkLoad> loads = List.of(new BulkLoad(tcp), new BulkLoad(mtls), new BulkLoad(hbone));
      for (int round = -2; round < ROUNDS; round++) {
        System.out.printf("bulk, %s%n", round(round));
        double[] rates = new double[loads.size()];
        for (int i = 0; i < rates.length; i++) {
          rates[i] = loads.get(i).megabytesPerSecond(BULK_BYTES);
        }
        if (round >= 0) {
          figures.add("bulk.tcp_mb_per_s", rates[0]);
          figures.add("bulk.mtls_mb_per_s", rates[1]);
          figures.add("bulk.hbone_mb_per_s", rates[2]);
          ratios.add("bulk.mtls_vs_tcp", rates[1] / rates[0]);
          ratios.add("bulk.hbone_vs_mtls", rates[2] / rates[1]);
        }
      }
    }
  }

  private void requests(BenchMesh mesh, MutualTls tls, int connections, int requests, String key)
      throws Exception {
    try (Contender tcp = SocketContender.tcp();
        Contender mtls = SocketContender.mutualTls(tls);
        Contender hbone = new MeshContender(mesh.client(), mesh.server());
        RequestLoad overTcp = new RequestLoad(tcp, connections);
        RequestLoad overMtls = new RequestLoad(mtls, connections);
        RequestLoad overHbone = new RequestLoad(hbone, connections)) {
      for (int round = -3; round < ROUNDS; round++) {
        System.out.printf("%s, %d connections, %s%n", key, connections, round(round));
        RequestLoad.Result raw = overTcp.run(requests);
        RequestLoad.Result plain = overMtls.run(requests);
        RequestLoad.Result tunnelled = overHbone.run(requests);
        if (round >= 0) {
          figures.add(key + ".tcp_per_s", raw.rate());
          record(key, plain, tunnelled);
        }
      }
    }
  }

  private void record(String key, RequestLoad.Result plain, RequestLoad.Result tunnelled) {
    figures.add(key + ".mtls_per_s", plain.rate());
    figures.add(key + ".hbone_per_s", tunnelled.rate());
    figures.add(key + ".mtls_p50_us", plain.p50Micros());
    figures.add(key + ".hbone_p50_us", tunnelled.p50Micros());
    figures.add(key + ".mtls_p99_us", plain.p99Micros());
    figures.add(key + ".hbone_p99_us", tunnelled.p99Micros());
    ratios.add(key + ".rate_vs_mtls", tunnelled.rate() / plain.rate());
    ratios.add(key + ".p50_vs_mtls", tunnelled.p50Micros() / plain.p50Micros());
    ratios.add(key + ".p99_vs_mtls", tunnelled.p99Micros() / plain.p99Micros());
  }

  private static String round(int round) {
    return round < 0 ? "warm-up" : "round " + (round + 1) + " of " + ROUNDS;
  }

  private void print() {
    Map<String, Double> all = new LinkedHashMap<>(figures.flat());
    all.putAll(ratios.flat());
    System.out.printf("%n%-28s %12s %12s %12s%n", "key", "median", "min", "max");
    all.forEach(
        (key, median) -> {
          if (!key.endsWith(".min") && !key.endsWith(".max")) {
            System.out.printf(
                "%-28s %12.3f %12.3f %12.3f%n",
                key, median, all.get(key + ".min"), all.get(key + ".max"));
          }
        });
  }

  private static void write(Path file, Map<String, Double> values) throws IOException {
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), values);
    System.out.println("wrote " + file);
  }
}
