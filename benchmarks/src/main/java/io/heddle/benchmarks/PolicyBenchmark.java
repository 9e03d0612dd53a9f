// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.heddle.benchmarks.index.PolicyChecks;
import java.time.Duration;
import java.util.List;

/** One verdict with 10 000 policies of ten rules loaded, over one with 10. */
final class PolicyBenchmark implements Benchmark {

  private static final int FEW = 10;
  private static final int MANY = 10_000;
  private static final int CHECKS = 500_000;
  private static final int WARM_UPS = 3;

  @Override
  public String name() {
    return "policy";
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(20);
  }

  @Override
  public void run(Session session) throws Exception {
    PolicyChecks few = new PolicyChecks(FEW);
    PolicyChecks many = new PolicyChecks(MANY);
    int checks = CHECKS * session.effort().scale();
    session
        .<Double>rounds(name(), WARM_UPS)
        .run(
            List.of(() -> few.nanosPerCheck(checks), () -> many.nanosPerCheck(checks)),
            round -> {
              double ratio = round.get(1) / round.get(0);
              session.ratios().add("policy.check_ns_10k_vs_10", ratio);
              session.figures().add("policy.check_ns_10", round.get(0));
              session.figures().add("policy.check_ns_10k", round.get(1));
              return ratio;
            });
  }
}
