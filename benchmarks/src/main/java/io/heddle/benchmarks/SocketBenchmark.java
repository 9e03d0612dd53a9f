// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.MeshPair;
import io.heddle.benchmarks.contender.TunnelContender;
import io.heddle.benchmarks.load.BulkLoad;
import io.heddle.benchmarks.load.DownloadLoad;
import io.heddle.benchmarks.load.SocketLoad;
import io.heddle.benchmarks.load.Transfer;
import java.time.Duration;
import java.util.List;

/**
 * Bulk through a blocking socket of the mesh, over the same through its Netty channel: as many
 * bytes up as down, one after the other.
 */
final class SocketBenchmark implements Benchmark {

  private static final long ROUND_BYTES = 512L << 20;
  private static final int CHUNK = 64 << 10;

  @Override
  public String name() {
    return "socket";
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(30);
  }

  @Override
  public void run(Session session) throws Exception {
    long bytes = ROUND_BYTES * session.effort().scale();
    try (MeshPair meshes = new MeshPair(session.identities());
        TunnelContender uploads = TunnelContender.inProcess(meshes, TunnelContender.Port.FIRST);
        TunnelContender downloads = TunnelContender.inProcess(meshes, TunnelContender.Port.SECOND);
        BulkLoad channelUp = new BulkLoad(uploads, 1, CHUNK);
        DownloadLoad channelDown = new DownloadLoad(downloads, CHUNK);
        SocketLoad socket =
            new SocketLoad(channelUp, uploads.socket(), downloads.socket(), CHUNK)) {
      session
          .<Transfer>rounds(name(), 2)
          .run(
              List.of(
                  () -> channelUp.run(bytes),
                  () -> socket.upload(bytes),
                  () -> channelDown.run(bytes),
                  () -> socket.download(bytes)),
              round -> keep(session, round));
    }
  }

  private static double keep(Session session, List<Transfer> round) {
    Transfer channelUp = round.get(0);
    Transfer socketUp = round.get(1);
    Transfer channelDown = round.get(2);
    Transfer socketDown = round.get(3);
    double ratio =
        (double) (channelUp.nanos() + channelDown.nanos())
            / (socketUp.nanos() + socketDown.nanos());
    session.ratios().add("socket.bulk_vs_channel", ratio);
    session.figures().add("socket.upload_mb_per_s", socketUp.megabytesPerSecond());
    session.figures().add("socket.download_mb_per_s", socketDown.megabytesPerSecond());
    session.figures().add("socket.channel_upload_mb_per_s", channelUp.megabytesPerSecond());
    session.figures().add("socket.channel_download_mb_per_s", channelDown.megabytesPerSecond());
    return ratio;
  }
}
