// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds what is legal in a policy and surely not meant. */
final class PolicyWarnings {
  private static final String SCHEME = "spiffe://";

  private PolicyWarnings() {}

  /** One line for each principal that can match nothing because it spells out the scheme. */
  static List<String> of(AuthorizationPolicy policy) {
    List<String> warnings = new ArrayList<>();
    for (int rule = 0; rule < policy.rules().size(); rule++) {
      List<Clause> clauses = policy.rules().get(rule).clauses();
      for (int clause = 0; clause < clauses.size(); clause++) {
        List<Match> matches = clauses.get(clause).matches();
        for (int match = 0; match < matches.size(); match++) {
          for (String value : withScheme(matches.get(match).principals())) {
            String text =
                "policy %s: rules[%d][%d][%d]: principal '%s' matches no peer,"
                    + " because principals are compared without '%s'";
            warnings.add(text.formatted(policy.key(), rule, clause, match, value, SCHEME));
          }
        }
      }
    }
    return List.copyOf(warnings);
  }

  private static List<String> withScheme(Condition<StringMatch> principals) {
    if (principals.isUnset()) {
      return List.of();
    }
    return Stream.of(principals.anyOf(), principals.noneOf())
        .flatMap(List::stream)
        .flatMap(PolicyWarnings::text)
        .filter(text -> text.contains(SCHEME))
        .toList();
  }

  private static Stream<String> text(StringMatch match) {
    if (match instanceof StringMatch.Exact exact) {
      return Stream.of(exact.value());
    }
    if (match instanceof StringMatch.Prefix prefix) {
      return Stream.of(prefix.prefix());
    }
    return match instanceof StringMatch.Suffix suffix ? Stream.of(suffix.suffix()) : Stream.of();
  }
}
