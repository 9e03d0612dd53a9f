// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A value that a connection must have for a rule to hold. A rule is filed under the keys of one of
 * its clauses, and a connection looks only at the rules filed under its own.
 *
 * @param attribute which attribute
 * @param value its exact value
 */
record RuleKey(Attribute attribute, Object value) {

  /** What rules are filed by. */
  enum Attribute {
    PRINCIPAL(1),
    SERVICE_ACCOUNT(2),
    NAMESPACE(3),
    DESTINATION_PORT(4);

    /** The higher, the more rules share one value. */
    private final int commonness;

    Attribute(int commonness) {
      this.commonness = commonness;
    }
  }

  /** The keys under which a connection finds rules. */
  static List<RuleKey> of(Facts facts) {
    List<RuleKey> keys = new ArrayList<>(Attribute.values().length);
    if (facts.principal() != null) {
      keys.add(new RuleKey(Attribute.PRINCIPAL, facts.principal()));
    }
    if (facts.account() != null) {
      keys.add(new RuleKey(Attribute.SERVICE_ACCOUNT, facts.account()));
    }
    keys.add(new RuleKey(Attribute.NAMESPACE, facts.namespace()));
    keys.add(new RuleKey(Attribute.DESTINATION_PORT, facts.destinationPort()));
    return keys;
  }

  /**
   * The keys of which a connection must have one for the rule to hold, or empty if it needs none.
   */
  static Optional<List<RuleKey>> required(Rule rule) {
    Optional<List<RuleKey>> best = Optional.empty();
    for (Clause clause : rule.clauses()) {
      Optional<List<RuleKey>> keys = required(clause);
      if (keys.isPresent() && (best.isEmpty() || cost(keys.get()) < cost(best.get()))) {
        best = keys;
      }
    }
    return best;
  }

  private static Optional<List<RuleKey>> required(Clause clause) {
    if (clause.matches().isEmpty()) {
      return Optional.empty();
    }
    List<RuleKey> keys = new ArrayList<>();
    for (Match match : clause.matches()) {
      if (match.isEmpty()) {
        continue;
      }
      List<RuleKey> ofMatch = required(match);
      if (ofMatch.isEmpty()) {
        return Optional.empty();
      }
      keys.addAll(ofMatch);
    }
    return Optional.of(keys);
  }

  /** The keys of the most telling attribute that only lists exact values; none if there is none. */
  private static List<RuleKey> required(Match match) {
    List<RuleKey> keys = exact(Attribute.PRINCIPAL, match.principals());
    if (keys.isEmpty()) {
      keys = listed(Attribute.SERVICE_ACCOUNT, match.serviceAccounts());
    }
    if (keys.isEmpty()) {
      keys = exact(Attribute.NAMESPACE, match.namespaces());
    }
    return keys.isEmpty() ? listed(Attribute.DESTINATION_PORT, match.destinationPorts()) : keys;
  }

  private static List<RuleKey> exact(Attribute attribute, Condition<StringMatch> condition) {
    List<RuleKey> keys = new ArrayList<>();
    for (StringMatch match : condition.anyOf()) {
      if (!(match instanceof StringMatch.Exact exact)) {
        return List.of();
      }
      keys.add(new RuleKey(attribute, exact.value()));
    }
    return keys;
  }

  private static <T> List<RuleKey> listed(Attribute attribute, Condition<T> condition) {
    List<RuleKey> keys = new ArrayList<>();
    for (T value : condition.anyOf()) {
      keys.add(new RuleKey(attribute, value));
    }
    return keys;
  }

  /** The least telling attribute decides; a clause that nothing satisfies costs nothing. */
  private static int cost(List<RuleKey> keys) {
    int cost = 0;
    for (RuleKey key : keys) {
      cost = Math.max(cost, key.attribute().commonness);
    }
    return cost;
  }
}
