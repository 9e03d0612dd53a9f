// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import static io.heddle.internal.policy.Policies.allow;
import static io.heddle.internal.policy.Policies.clause;
import static io.heddle.internal.policy.Policies.deny;
import static io.heddle.internal.policy.Policies.exact;
import static io.heddle.internal.policy.Policies.in;
import static io.heddle.internal.policy.Policies.ports;
import static io.heddle.internal.policy.Policies.principals;
import static io.heddle.internal.policy.Policies.rule;
import static io.heddle.internal.policy.Policies.tls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PolicySetTest {

  /** 10 000 policies of 10 rules, for service accounts that nobody has. */
  private static final List<AuthorizationPolicy> MANY = manyPolicies();

  @Test
  @DisplayName("a selector policy applies only where a workload names it")
  void selector() {
    PolicySet policies = PolicySet.of(List.of(selector("p")));

    assertThat(policies.forDestination("pay", List.of()).evaluate(tls()).isAllowed()).isTrue();
    assertThat(policies.forDestination("pay", List.of("pay/p")).evaluate(tls()).isAllowed())
        .isFalse();
  }

  @Test
  @DisplayName("ST-13 a policy sent again with another scope is found in the new one only")
  void scopeMoves() {
    AuthorizationPolicy namespaced = deny("p", rule());
    AuthorizationPolicy global =
        new AuthorizationPolicy("pay", "p", Scope.GLOBAL, Action.DENY, false, List.of(rule()));
    PolicySet before = PolicySet.of(List.of(global));

    PolicySet after = before.with(Map.of("pay/p", namespaced), Set.of());

    assertThat(before.forDestination("shop", List.of()).evaluate(tls()).isAllowed()).isFalse();
    assertThat(after.forDestination("shop", List.of()).evaluate(tls()).isAllowed()).isTrue();
    assertThat(after.forDestination("pay", List.of()).evaluate(tls()).isAllowed()).isFalse();
  }

  @Test
  @DisplayName("a GLOBAL policy applies everywhere, whatever its own namespace")
  void globalOfNamespace() {
    AuthorizationPolicy global =
        new AuthorizationPolicy("root", "g", Scope.GLOBAL, Action.DENY, false, List.of(rule()));

    Verdict verdict =
        PolicySet.of(List.of(global)).forDestination("pay", List.of()).evaluate(tls());

    assertThat(verdict.isAllowed()).isFalse();
  }

  @Test
  @DisplayName("policies are compiled once for a destination")
  void compiledOnce() {
    PolicySet policies = PolicySet.of(List.of(selector("p")));

    assertThat(policies.forDestination("pay", List.of("pay/p")))
        .isSameAs(policies.forDestination("pay", new ArrayList<>(List.of("pay/p"))));
  }

  @Test
  @DisplayName("the policy that a verdict names does not depend on the order of arrival")
  void stableNames() {
    AuthorizationPolicy a = deny("a", rule());
    AuthorizationPolicy b = deny("b", rule());

    assertThat(PolicySet.of(List.of(a, b)).forDestination("pay", List.of()).evaluate(tls()))
        .isEqualTo(PolicySet.of(List.of(b, a)).forDestination("pay", List.of()).evaluate(tls()));
  }

  @Test
  @DisplayName("two policies of one name are refused")
  void duplicateName() {
    assertThatThrownBy(() -> PolicySet.of(List.of(allow("p"), deny("p"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two policies are named pay/p");
  }

  @Test
  @DisplayName("an unreadable DENY refuses everything and says why")
  void unreadableDeny() {
    AuthorizationPolicy stand =
        AuthorizationPolicy.failClosed(
            "pay", "p", Scope.NAMESPACE, Action.DENY, false, "rules[0]: not a CIDR: 'x'");

    assertThat(PolicySet.of(List.of(stand)).forDestination("pay", List.of()).evaluate(tls()))
        .isEqualTo(
            new Verdict.Denied(
                Verdict.Reason.EXPLICITLY_DENIED,
                "pay/p",
                "explicitly denied by: pay/p (could not be read: rules[0]: not a CIDR: 'x')",
                List.of()));
  }

  @Test
  @DisplayName("an unreadable ALLOW admits nothing and says why, yet another ALLOW still admits")
  void unreadableAllow() {
    AuthorizationPolicy stand =
        AuthorizationPolicy.failClosed(
            "pay", "p", Scope.NAMESPACE, Action.ALLOW, false, "rules[0]: not a CIDR: 'x'");

    assertThat(PolicySet.of(List.of(stand)).forDestination("pay", List.of()).evaluate(tls()))
        .isEqualTo(
            new Verdict.Denied(
                Verdict.Reason.NONE_ALLOWED,
                null,
                "allow policies exist, but none allowed; pay/p (could not be read: rules[0]: not a"
                    + " CIDR: 'x')",
                List.of()));
    assertThat(
            PolicySet.of(List.of(stand, allow("open", rule())))
                .forDestination("pay", List.of())
                .evaluate(tls())
                .isAllowed())
        .isTrue();
  }

  @Test
  @DisplayName("the memory of withdrawn policies is bounded")
  void boundedMemory() {
    PolicySet policies = PolicySet.of(List.of(selector("first")));
    policies = policies.with(Map.of(), Set.of("pay/first"));
    Map<String, AuthorizationPolicy> many = new LinkedHashMap<>();
    for (int i = 0; i < 5_000; i++) {
      many.put("pay/p" + i, selector("p" + i));
    }
    policies = policies.with(many, Set.of()).with(Map.of(), many.keySet());

    assertThat(policies.forDestination("pay", List.of("pay/p4999")).evaluate(tls()).isAllowed())
        .isTrue();
    assertThat(policies.forDestination("pay", List.of("pay/first")).evaluate(tls()).isAllowed())
        .isFalse();
  }

  @Test
  @DisplayName("a connection visits only the rules that its own attributes lead to")
  void visitsFewRules() {
    CompiledPolicies few = PolicySet.of(MANY.subList(0, 10)).forDestination("pay", List.of());
    CompiledPolicies many = PolicySet.of(MANY).forDestination("pay", List.of());

    long costOfFew = bestNanosOfEvaluation(few);
    long costOfMany = bestNanosOfEvaluation(many);

    // A walk over all rules would cost a thousand times as much.
    assertThat(costOfMany).isLessThan(20 * Math.max(costOfFew, 1_000));
  }

  @Test
  @DisplayName("10 000 policies of 10 rules for one destination compile in bounded time")
  void compilesInBoundedTime() {
    CompiledPolicies compiled =
        Assertions.assertTimeout(
            Duration.ofSeconds(60), () -> PolicySet.of(MANY).forDestination("pay", List.of()));

    assertThat(compiled.evaluate(tls()).isAllowed()).isFalse();
  }

  private static AuthorizationPolicy selector(String name) {
    return new AuthorizationPolicy(
        "pay", name, Scope.WORKLOAD_SELECTOR, Action.DENY, false, List.of(rule()));
  }

  private static List<AuthorizationPolicy> manyPolicies() {
    List<AuthorizationPolicy> policies = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      Rule[] rules = new Rule[10];
      for (int n = 0; n < rules.length; n++) {
        String principal = "mesh.test/ns/other/sa/a" + i + "-" + n;
        rules[n] = rule(clause(principals(in(exact(principal)))), clause(ports(in(8080))));
      }
      policies.add(allow("p" + i, rules));
    }
    return policies;
  }

  private static long bestNanosOfEvaluation(CompiledPolicies policies) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 2_000; i++) {
      long start = System.nanoTime();
      policies.evaluate(tls());
      best = Math.min(best, System.nanoTime() - start);
    }
    return best;
  }
}
