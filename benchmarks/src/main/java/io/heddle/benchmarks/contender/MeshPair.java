// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.contender;

import io.heddle.Mesh;
import io.heddle.identity.SvidSource;
import io.heddle.opentelemetry.IstioTcpMetrics;
import java.time.Duration;

/**
 * Two meshes, a client's and a server's, as an application has them: routing, identity check,
 * authorization, and telemetry by the OpenTelemetry adapter into a real SDK. Only one pair can be
 * up at a time, because a workload's HBONE port is fixed.
 */
public final class MeshPair implements AutoCloseable {

  static final String HOST = "server.bench";

  /** The mesh of both ends: {@code bench/client/client} and {@code bench/server/server}. */
  public static final String YAML =
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
          bench/server.bench.svc.cluster.local: {80: 8080, 81: 8081}
      services:
      - name: server
        namespace: bench
        hostname: server.bench.svc.cluster.local
        vips: ["/127.0.20.3"]
        ports: {80: 8080, 81: 8081}
      policies:
      - name: only-the-client
        namespace: bench
        scope: Namespace
        action: Allow
        dryRun: false
        rules:
        - - - principals: [!Exact cluster.local/ns/bench/sa/client]
      """;

  private final SdkMeters meters = new SdkMeters();
  private final IstioTcpMetrics clientMetrics = IstioTcpMetrics.of(meters.openTelemetry());
  private final IstioTcpMetrics serverMetrics = IstioTcpMetrics.of(meters.openTelemetry());
  private final Mesh client;
  private final Mesh server;

  /** One event loop for each side, as the other contenders have. */
  public MeshPair(Identities identities) {
    server = start("bench/server/server", identities.server(), serverMetrics);
    client = start("bench/client/client", identities.client(), clientMetrics);
  }

  public Mesh client() {
    return client;
  }

  public Mesh server() {
    return server;
  }

  @Override
  public void close() {
    client.close();
    server.close();
    clientMetrics.close();
    serverMetrics.close();
    meters.close();
  }

  private static Mesh start(String workload, SvidSource identity, IstioTcpMetrics telemetry) {
    return Mesh.builder()
        .localConfiguration(YAML)
        .workload(workload)
        .identity(identity)
        .telemetry(telemetry)
        .eventLoops(1)
        .drainPeriod(Duration.ofSeconds(1))
        .start();
  }
}
