// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.contender.Identities;
import io.heddle.benchmarks.contender.MutualTls;
import io.heddle.benchmarks.process.ChildJvm;
import io.heddle.benchmarks.report.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One benchmark in a process of its own: what the compiler learned from another would change what
 * it makes of this one. It runs with its parent's JVM flags.
 */
final class BenchmarkProcess {

  private BenchmarkProcess() {}

  /**
   * Runs a benchmark, and waits for its end.
   *
   * @throws IOException if it fails; what it says is on the standard error output
   */
  static Measurement run(Benchmark benchmark, Effort effort, Progress progress)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile("benchmark-" + benchmark.name(), ".json");
    try {
      List<String> arguments = new ArrayList<>();
      arguments.add(benchmark.name());
      arguments.add(file.toString());
      arguments.addAll(effort.words());
      arguments.addAll(progress.words());
      Process process =
          ChildJvm.of(List.of(), BenchmarkProcess.class, arguments).inheritIO().start();
      try {
        int status = process.waitFor();
        if (status != 0) {
          throw new IOException("the process of " + benchmark.name() + " ended with " + status);
        }
      } finally {
        process.destroy();
      }
      return Measurement.read(file);
    } finally {
      Files.delete(file);
    }
  }

  /**
   * The process.
   *
   * @param args name of the benchmark, where to write, and the words of effort and progress
   * @throws Exception when it cannot be measured
   */
  public static void main(String[] args) throws Exception {
    List<String> words = List.of(args);
    Benchmark benchmark = WholeSystem.named(words.get(0));
    Effort effort = Effort.of(words.subList(2, 4));
    Progress progress = Progress.of(System.out, words.subList(4, 6));
    Measurement found = new Measurement();
    try (Identities identities = new Identities();
        MutualTls tls = identities.mutualTls(null)) {
      Conditions.record(found, tls);
      benchmark.run(new Session(identities, tls, effort, found, progress));
    }
    found.write(Path.of(words.get(1)));
    // What a benchmark left running must not keep the next one waiting.
    System.exit(0);
  }
}
