// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.index;

import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.local.LocalConfig;
import io.heddle.internal.policy.ConnectionAttributes;
import io.heddle.internal.policy.PolicySet;
import io.heddle.internal.policy.Verdict;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Verdicts about connections to one workload, all of whose policies apply to it: each has ten rules
 * that name one caller and a port, and every tenth is a DENY of callers that do not call.
 */
public final class PolicyChecks {

  private static final TrustDomain TRUST_DOMAIN = TrustDomain.parse("cluster.local");
  private static final int RULES = 10;
  private static final int DENY_EVERY = 10;
  private static final int CALLERS = 64;

  private final PolicySet policies;
  private final List<ConnectionAttributes> connections = new ArrayList<>();

  /** Makes and compiles so many policies. */
  public PolicyChecks(int count) {
    StringBuilder yaml = new StringBuilder("policies:\n");
    for (int i = 0; i < count; i++) {
      append(yaml, i);
    }
    policies =
        PolicySet.of(LocalConfig.parse(yaml.toString(), "benchmark", TRUST_DOMAIN).policies());
    for (int i = 0; i < CALLERS; i++) {
      int policy = (int) ((long) i * count / CALLERS);
      int allowing = policy % DENY_EVERY == 0 ? policy + 1 : policy;
      connections.add(connection(caller(allowing, i % RULES)));
    }
    nanosPerCheck(CALLERS);
  }

  private static void append(StringBuilder yaml, int policy) {
    boolean deny = policy % DENY_EVERY == 0;
    yaml.append("- {name: p").append(policy);
    yaml.append(", namespace: bench, scope: Namespace, dryRun: false, action: ");
    yaml.append(deny ? "Deny" : "Allow").append(", rules: [");
    for (int rule = 0; rule < RULES; rule++) {
      yaml.append(rule == 0 ? "" : ",").append("[[{principals: [!Exact cluster.local/ns/bench/sa/");
      yaml.append(caller(policy, rule)).append("]}],[{destinationPorts: [8080]}]]");
    }
    yaml.append("]}\n");
  }

  private static String caller(int policy, int rule) {
    return "a" + policy + "-" + rule;
  }

  private static ConnectionAttributes connection(String caller) {
    return new ConnectionAttributes(
        InetAddress.getLoopbackAddress(),
        SpiffeId.workload(TRUST_DOMAIN, "bench", caller),
        InetAddress.getLoopbackAddress(),
        8080);
  }

  /** What one verdict takes in the mean, the look-up of the workload's policies included. */
  public double nanosPerCheck(int checks) {
    long started = System.nanoTime();
    int allowed = 0;
    for (int i = 0; i < checks; i++) {
      Verdict verdict =
          policies.forDestination("bench", List.of()).evaluate(connections.get(i % CALLERS));
      allowed += verdict.isAllowed() ? 1 : 0;
    }
    long took = System.nanoTime() - started;
    if (allowed != checks) {
      throw new IllegalStateException("every caller is allowed by one policy");
    }
    return (double) took / checks;
  }
}
