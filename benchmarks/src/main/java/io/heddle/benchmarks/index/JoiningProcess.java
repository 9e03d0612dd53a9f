// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.index;

import io.grpc.netty.NettyChannelBuilder;
import io.heddle.benchmarks.idle.MemoryUse;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.xds.AdsClient;
import io.heddle.internal.xds.ProxyNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process that joins a mesh, tells what that took, and ends. */
public final class JoiningProcess {

  private static final int LIMIT_SECONDS = 300;
  private static final long LOOK_NANOS = 1_000_000;

  private JoiningProcess() {}

  /**
   * Joins.
   *
   * @param args the port of the control plane on loopback, and how many workloads there are
   * @throws Exception when it does not come to know them; the parent sees the exit
   */
  public static void main(String[] args) throws Exception {
    InetSocketAddress controlPlane =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    int workloads = Integer.parseInt(args[1]);
    WorkloadIndex index = new WorkloadIndex("Kubernetes", UnknownPolicies.REFUSE);
    ProxyNode node =
        new ProxyNode(ProxyNode.ZTUNNEL, "127.0.0.1", "bench", "bench", "cluster.local", Map.of());
    long before = MemoryUse.now().heap();
    long started = System.nanoTime();
    try (AdsClient client =
        AdsClient.builder(
                () -> NettyChannelBuilder.forAddress(controlPlane).usePlaintext().build(),
                node,
                index)
            .build()) {
      client.start();
      client.ready().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      while (index.current().workloadCount() < workloads) {
        requireInTime(started);
        LockSupport.parkNanos(LOOK_NANOS);
      }
      double seconds = (System.nanoTime() - started) / 1e9;
      MemoryUse use = MemoryUse.now();
      System.out.println(
          seconds + " " + (use.heap() - before) / workloads + " " + (use.direct() >> 20));
    }
    System.exit(0);
  }

  private static void requireInTime(long started) {
    if (System.nanoTime() - started > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
      throw new IllegalStateException("the mesh does not arrive");
    }
  }
}
