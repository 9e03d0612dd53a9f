// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.DevelopmentSource;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.identity.TrustDomain;
import java.time.Duration;

/** The two workloads that all contenders stand for. */
final class BenchMesh implements AutoCloseable {

  static final SpiffeId CLIENT =
      SpiffeId.workload(TrustDomain.parse("cluster.local"), "bench", "client");
  static final SpiffeId SERVER =
      SpiffeId.workload(TrustDomain.parse("cluster.local"), "bench", "server");

  static final String YAML =
      """
      workloads:
      - uid: bench//v1/Pod/bench/client
        name: client
        namespace: bench
        serviceAccount: client
        workloadIps: ["127.0.20.1"]
        protocol: HBONE
        services: {}
      - uid: bench//v1/Pod/bench/server
        name: server
        namespace: bench
        serviceAccount: server
        workloadIps: ["127.0.20.2"]
        protocol: HBONE
        services:
          bench/server.bench.svc.cluster.local: {80: 8080}
      services:
      - name: server
        namespace: bench
        hostname: server.bench.svc.cluster.local
        vips: ["/127.0.20.3"]
        ports: {80: 8080}
      policies:
      - name: only-the-client
        namespace: bench
        scope: Namespace
        action: Allow
        dryRun: false
        rules:
        - - - principals: [!Exact cluster.local/ns/bench/sa/client]
      """;

  private final SvidSource client;
  private final SvidSource server;

  BenchMesh() {
    DevelopmentCa ca = DevelopmentCa.inMemory(CLIENT.trustDomain());
    client = source(ca, CLIENT);
    server = source(ca, SERVER);
  }

  SvidSource client() {
    return client;
  }

  SvidSource server() {
    return server;
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }

  private static SvidSource source(DevelopmentCa ca, SpiffeId id) {
    SvidSource source = DevelopmentSource.builder(ca, id).lifetime(Duration.ofHours(1)).build();
    source.awaitReady(Duration.ofSeconds(10));
    return source;
  }
}
