// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.parts;

import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.local.LocalConfig;
import io.heddle.internal.policy.CompiledPolicies;
import io.heddle.internal.policy.ConnectionAttributes;
import io.heddle.internal.policy.PolicySet;
import io.heddle.internal.policy.Verdict;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The verdict about one connection, which must not cost more with many policies than with one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PolicyBenchmark {

  private static final TrustDomain TRUST_DOMAIN = TrustDomain.parse("cluster.local");

  /** How many policies apply to the destination; the last one allows. */
  @Param({"1", "100", "10000"})
  public int policies = 1;

  private CompiledPolicies compiled = PolicySet.of(List.of()).forDestination("bench", List.of());
  private ConnectionAttributes connection =
      new ConnectionAttributes(
          InetAddress.getLoopbackAddress(), null, InetAddress.getLoopbackAddress(), 8080);

  /** Compiles the policies, as a push does. */
  @Setup
  public void compile() throws UnknownHostException {
    StringBuilder yaml = new StringBuilder("policies:\n");
    for (int i = 0; i < policies; i++) {
      yaml.append("- {name: p").append(i);
      yaml.append(", namespace: bench, scope: Namespace, action: Allow, dryRun: false,");
      yaml.append(" rules: [[[{principals: [!Exact cluster.local/ns/bench/sa/a").append(i);
      yaml.append("]}]]]}\n");
    }
    LocalConfig config = LocalConfig.parse(yaml.toString(), "benchmark", TRUST_DOMAIN);
    compiled = PolicySet.of(config.policies()).forDestination("bench", List.of());
    connection =
        new ConnectionAttributes(
            InetAddress.getByName("127.0.20.1"),
            SpiffeId.workload(TRUST_DOMAIN, "bench", "a" + (policies - 1)),
            InetAddress.getByName("127.0.20.2"),
            8080);
    if (!(decide() instanceof Verdict.Allowed)) {
      throw new IllegalStateException("the last policy allows");
    }
  }

  @Benchmark
  public Verdict decide() {
    return compiled.evaluate(connection);
  }
}
