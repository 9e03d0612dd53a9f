// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.contender;

import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.DevelopmentSource;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.SvidSource;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.netty.MeshTls;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Who the two ends are, in every contender: two workloads certified by one authority. */
public final class Identities implements AutoCloseable {

  public static final SpiffeId CLIENT =
      SpiffeId.workload(TrustDomain.parse("cluster.local"), "bench", "client");
  public static final SpiffeId SERVER =
      SpiffeId.workload(TrustDomain.parse("cluster.local"), "bench", "server");

  private final SvidSource client;
  private final SvidSource server;

  public Identities() {
    DevelopmentCa ca = DevelopmentCa.inMemory(CLIENT.trustDomain());
    client = source(ca, CLIENT);
    server = source(ca, SERVER);
  }

  public SvidSource client() {
    return client;
  }

  public SvidSource server() {
    return server;
  }

  /**
   * TLS of both ends, for the plain contender.
   *
   * @param handshakes where the expensive part of handshakes runs; null for threads of its own, as
   *     the mesh has them
   */
  public MutualTls mutualTls(@Nullable Executor handshakes) {
    MeshTls.Builder ofClient = MeshTls.builder(client);
    MeshTls.Builder ofServer = MeshTls.builder(server);
    if (handshakes != null) {
      ofClient.handshakeExecutor(handshakes);
      ofServer.handshakeExecutor(handshakes);
    }
    return new MutualTls(ofClient.build(), ofServer.build(), SERVER);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }

  private static SvidSource source(DevelopmentCa ca, SpiffeId id) {
    SvidSource source = DevelopmentSource.builder(ca, id).lifetime(Duration.ofHours(24)).build();
    source.awaitReady(Duration.ofSeconds(10));
    return source;
  }
}
