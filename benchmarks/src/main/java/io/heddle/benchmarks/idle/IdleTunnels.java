// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.idle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Measures both ends of many idle tunnels. */
public final class IdleTunnels {

  private IdleTunnels() {}

  /**
   * What one end holds more with the tunnels than with one idle connection.
   *
   * @param heap bytes of live objects for each tunnel
   * @param direct bytes of direct memory for each tunnel
   */
  public record Cost(double heap, double direct) {
    public double total() {
      return heap + direct;
    }

    private static Cost of(MemoryUse before, MemoryUse after, int tunnels) {
      return new Cost(
          (double) (after.heap() - before.heap()) / tunnels,
          (double) (after.direct() - before.direct()) / tunnels);
    }
  }

  /** Both ends of the same tunnels. */
  public record Costs(Cost client, Cost server) {}

  /** Starts two processes, opens tunnels between them, and ends them. */
  public static Costs measure(int tunnels) throws IOException {
    Path authority = Files.createTempDirectory("heddle-bench");
    try (IdleEnd server = new IdleEnd("server", authority);
        IdleEnd client = new IdleEnd("client", authority)) {
      // Loads the classes and makes the first connection, which stays.
      client.open(1);
      MemoryUse clientBefore = client.measure();
      MemoryUse serverBefore = server.measure();
      client.open(tunnels - 1);
      return new Costs(
          Cost.of(clientBefore, client.measure(), tunnels - 1),
          Cost.of(serverBefore, server.measure(), tunnels - 1));
    } finally {
      delete(authority);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
