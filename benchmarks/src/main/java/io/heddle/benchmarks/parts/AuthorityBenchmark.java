// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.parts;

import io.heddle.hbone.Authority;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a server pays to read the authority of a CONNECT: once for every tunnel. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class AuthorityBenchmark {

  /** The authority to read. */
  @Param({"10.20.0.7:8080", "[2001:db8::7]:8080", "reviews.default.svc.cluster.local:9080"})
  public String text = "";

  /**
   * Reads one authority.
   *
   * @return what it stands for
   */
  @Benchmark
  public Authority parse() {
    return Authority.parse(text);
  }
}
