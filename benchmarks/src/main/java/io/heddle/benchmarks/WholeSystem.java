// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.report.Results;
import io.heddle.benchmarks.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The same work over raw TCP, over plain mutual TLS and over the mesh, in turns, in one run. Prints
 * a table and writes the files of {@link Results}; absolute figures are reported, never judged.
 */
public final class WholeSystem {

  private static final List<Benchmark> BENCHMARKS =
      List.of(
          BulkBenchmark.one(),
          BulkBenchmark.eight(),
          RequestBenchmark.concurrent(),
          RequestBenchmark.lone(),
          new OpenBenchmark(),
          new IdleBenchmark(),
          new SocketBenchmark(),
          new DeliveryBenchmark(),
          new WdsBenchmark(),
          new PolicyBenchmark(),
          new ScaleBenchmark(),
          new PartsBenchmark());

  private WholeSystem() {}

  /**
   * Runs the selected benchmarks. One that fails does not keep the others from running; the process
   * then ends with status 1.
   *
   * @param args the folder to write to, and the selection
   * @throws Exception when nothing can be measured at all
   */
  public static void main(String[] args) throws Exception {
    Results results = new Results(Path.of(args[0]));
    List<String> known = BENCHMARKS.stream().map(Benchmark::name).toList();
    Selection selection;
    try {
      selection = Selection.parse(args[1], known);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    List<String> failed = run(selection, results);
    System.out.println();
    results.facts().forEach((name, value) -> System.out.println(name + ": " + value));
    System.out.println();
    System.out.print(Table.figures(results.figures().statistics()));
    System.out.println();
    System.out.print(Table.ratios(results.ratios().statistics()));
    System.out.println("wrote ratios.json, ratios.svg and figures.json to " + args[0]);
    if (!failed.isEmpty()) {
      System.err.println("failed: " + String.join(", ", failed));
      System.exit(1);
    }
  }

  /** The benchmark of a name that there is. */
  static Benchmark named(String name) {
    return BENCHMARKS.stream().filter(of -> of.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<String> run(Selection selection, Results results) throws Exception {
    Progress progress = new Progress(System.out, selection.estimate(BENCHMARKS));
    List<String> failed = new ArrayList<>();
    for (Benchmark benchmark : selection.of(BENCHMARKS)) {
      try {
        results.add(BenchmarkProcess.run(benchmark, selection.effort(), progress));
      } catch (IOException e) {
        System.err.println(benchmark.name() + " failed: " + e.getMessage());
        failed.add(benchmark.name());
      }
      results.write();
    }
    return failed;
  }
}
