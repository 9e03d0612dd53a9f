// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The policies of one destination that have the same effect, compiled so that a connection visits
 * only the rules that its own attributes lead to.
 */
final class PolicyGroup {

  private record CompiledRule(AuthorizationPolicy policy, Predicate<Facts> condition) {}

  private final List<AuthorizationPolicy> policies;
  private final List<AuthorizationPolicy> defective;
  private final List<CompiledRule> always = new ArrayList<>();
  private final Map<RuleKey, List<CompiledRule>> byKey = new HashMap<>();

  PolicyGroup(List<AuthorizationPolicy> policies) {
    this.policies = List.copyOf(policies);
    this.defective = policies.stream().filter(policy -> policy.defect() != null).toList();
    for (AuthorizationPolicy policy : this.policies) {
      for (Rule rule : policy.rules()) {
        file(new CompiledRule(policy, RuleCompiler.compile(rule)), RuleKey.required(rule));
      }
    }
  }

  private void file(CompiledRule rule, Optional<List<RuleKey>> keys) {
    if (keys.isEmpty()) {
      always.add(rule);
      return;
    }
    for (RuleKey key : Set.copyOf(keys.get())) {
      byKey.computeIfAbsent(key, unused -> new ArrayList<>(1)).add(rule);
    }
  }

  /** Whether there is no policy; one without rules counts. */
  boolean isEmpty() {
    return policies.isEmpty();
  }

  /** The policies that stand in for ones that could not be read. */
  List<AuthorizationPolicy> defective() {
    return defective;
  }

  /** A policy that matches, or null. */
  @Nullable AuthorizationPolicy firstMatch(Facts facts) {
    AuthorizationPolicy found = firstMatch(always, facts);
    for (RuleKey key : found == null ? RuleKey.of(facts) : List.<RuleKey>of()) {
      found = firstMatch(byKey.getOrDefault(key, List.of()), facts);
      if (found != null) {
        break;
      }
    }
    return found;
  }

  private static @Nullable AuthorizationPolicy firstMatch(List<CompiledRule> rules, Facts facts) {
    for (CompiledRule rule : rules) {
      if (rule.condition().test(facts)) {
        return rule.policy();
      }
    }
    return null;
  }

  /** The keys of all policies that match. */
  Set<String> allMatches(Facts facts) {
    if (policies.isEmpty()) {
      return Set.of();
    }
    Set<String> keys = new LinkedHashSet<>();
    collect(always, facts, keys);
    for (RuleKey key : RuleKey.of(facts)) {
      collect(byKey.getOrDefault(key, List.of()), facts, keys);
    }
    return keys;
  }

  private static void collect(List<CompiledRule> rules, Facts facts, Set<String> keys) {
    for (CompiledRule rule : rules) {
      if (rule.condition().test(facts)) {
        keys.add(rule.policy().key());
      }
    }
  }
}
