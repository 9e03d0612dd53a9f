// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.Exposure;
import io.heddle.Mesh;
import io.heddle.identity.SvidSource;
import io.heddle.netty.MeshChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The product: tunnels of two meshes, with routing, identity check, authorization and observation,
 * delivered inside the process.
 */
final class MeshContender implements Contender {

  private static final int PORT = 8080;

  private final Mesh client;
  private final Mesh server;
  private @Nullable Exposure exposure;

  MeshContender(SvidSource clientIdentity, SvidSource serverIdentity) {
    server = start("bench/server/server", serverIdentity);
    client = start("bench/client/client", clientIdentity);
  }

  @Override
  public String name() {
    return "hbone";
  }

  @Override
  public void serve(Supplier<ChannelHandler> application) {
    exposure = MeshChannels.of(server).expose(PORT, peer -> application.get());
  }

  @Override
  public Channel connect(ChannelHandler application) throws Exception {
    return MeshChannels.of(client).connect("server.bench", 80, application).sync().getNow();
  }

  @Override
  public void close() {
    if (exposure != null) {
      exposure.close();
    }
    client.close();
    server.close();
  }

  private static Mesh start(String workload, SvidSource identity) {
    return Mesh.builder()
        .localConfiguration(BenchMesh.YAML)
        .workload(workload)
        .identity(identity)
        .eventLoops(1)
        .start();
  }
}
