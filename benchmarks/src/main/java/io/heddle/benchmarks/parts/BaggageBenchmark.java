// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.parts;

import io.heddle.hbone.Baggage;
import io.heddle.hbone.WorkloadType;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What each end pays for the header that names the other: once for every tunnel. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BaggageBenchmark {

  private final Baggage baggage =
      new Baggage(
          "Kubernetes",
          "default",
          WorkloadType.DEPLOYMENT,
          "reviews-v1",
          "reviews",
          "v1",
          "europe-west1",
          "europe-west1-b");
  private final String header = baggage.encode();

  @Benchmark
  public String encode() {
    return baggage.encode();
  }

  @Benchmark
  public Baggage parse() {
    return Baggage.parse(header);
  }
}
