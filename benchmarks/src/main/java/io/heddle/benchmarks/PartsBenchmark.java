// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import java.time.Duration;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** The JMH benchmarks of the parts; their results are figures, never ratios. */
final class PartsBenchmark implements Benchmark {

  @Override
  public String name() {
    return "jmh";
  }

  @Override
  public Duration estimate() {
    return Duration.ofMinutes(3);
  }

  @Override
  public void run(Session session) throws Exception {
    String parts = "^io\\.heddle\\.benchmarks\\.parts\\.";
    for (RunResult result : new Runner(new OptionsBuilder().include(parts).build()).run()) {
      session.figures().add("jmh." + key(result) + "_ns", result.getPrimaryResult().getScore());
    }
  }

  private static String key(RunResult result) {
    String qualified = result.getParams().getBenchmark();
    String name =
        qualified.substring(qualified.lastIndexOf('.', qualified.lastIndexOf('.') - 1) + 1);
    List<String> parameters =
        result.getParams().getParamsKeys().stream()
            .map(parameter -> result.getParams().getParam(parameter))
            .toList();
    return parameters.isEmpty() ? name : name + "[" + String.join(",", parameters) + "]";
  }
}
