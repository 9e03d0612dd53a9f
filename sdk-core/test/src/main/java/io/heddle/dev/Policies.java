// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev;

import io.heddle.internal.policy.Action;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.Clause;
import io.heddle.internal.policy.Condition;
import io.heddle.internal.policy.Match;
import io.heddle.internal.policy.Rule;
import io.heddle.internal.policy.Scope;
import io.heddle.internal.policy.ServiceAccountMatch;
import io.heddle.internal.policy.StringMatch;
import io.heddle.internal.state.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Policies in the shape in which istiod derives them. */
final class Policies {

  /** What istiod makes of PeerAuthentication STRICT (control-plane reference 3.7). */
  static final AuthorizationPolicy STATIC_STRICT =
      new AuthorizationPolicy(
          "istio-system",
          "istio_converted_static_strict",
          Scope.WORKLOAD_SELECTOR,
          Action.DENY,
          /* dryRun= */ false,
          List.of(
              rule(
                  new Match(
                      Condition.unset(),
                      Condition.unset(),
                      new Condition<>(List.of(), List.of(new StringMatch.Presence())),
                      Condition.unset(),
                      Condition.unset(),
                      Condition.unset()))));

  private Policies() {}

  /** Matches who has one of the service accounts; without any, nobody. */
  static List<Rule> fromCallers(String... callers) {
    if (callers.length == 0) {
      return List.of();
    }
    List<ServiceAccountMatch> accounts =
        Arrays.stream(callers)
            .map(NamespacedName::parse)
            .map(account -> new ServiceAccountMatch(account.namespace(), account.name()))
            .toList();
    return List.of(
        rule(
            new Match(
                Condition.unset(),
                new Condition<>(accounts, List.of()),
                Condition.unset(),
                Condition.unset(),
                Condition.unset(),
                Condition.unset())));
  }

  /** The workload, with the policy that refuses plain text. */
  static Workload strict(Workload workload) {
    List<String> policies = new ArrayList<>(workload.authorizationPolicies());
    if (!policies.contains(STATIC_STRICT.key())) {
      policies.add(STATIC_STRICT.key());
    }
    return Workloads.selectedBy(workload, policies);
  }

  private static Rule rule(Match match) {
    return new Rule(List.of(new Clause(List.of(match))));
  }
}
