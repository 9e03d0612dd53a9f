// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.index;

import io.heddle.benchmarks.process.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What it takes a process to come to know a mesh that a control plane tells it of by gRPC.
 *
 * @param seconds from the first connection until every workload can be found, the control plane's
 *     own work on the same machine included
 * @param heapBytesPerWorkload what is held then, after full collections
 * @param directMebibytes direct memory that is reserved then
 */
public record Joining(double seconds, double heapBytesPerWorkload, double directMebibytes) {

  /** The memory of the process. */
  public static final List<String> FLAGS =
      List.of("-Xms64m", "-Xmx1g", "-XX:MaxDirectMemorySize=256m");

  /**
   * Has a fresh process join.
   *
   * @param workloads in the mesh; the services are a tenth of that
   * @param resourcesEach in each message
   * @throws IOException if it did not get there, for want of memory say
   */
  public static Joining measure(int workloads, int resourcesEach)
      throws IOException, InterruptedException {
    try (MeshServer server = new MeshServer(new SyntheticMesh(workloads), resourcesEach)) {
      Process process =
          ChildJvm.of(
                  FLAGS,
                  JoiningProcess.class,
                  List.of(Integer.toString(server.port()), Integer.toString(workloads)))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try {
        String told =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int status = process.waitFor();
        String[] words = told.split(" ", -1);
        if (status != 0 || words.length != 3) {
          throw new IOException("the joining process ended with " + status + ": " + told);
        }
        return new Joining(
            Double.parseDouble(words[0]),
            Double.parseDouble(words[1]),
            Double.parseDouble(words[2]));
      } finally {
        process.destroyForcibly();
      }
    }
  }
}
