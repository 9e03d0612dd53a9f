// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import io.heddle.internal.net.Cidr;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Turns a rule into one predicate, by the table of HBONE reference 5.1. */
final class RuleCompiler {

  private RuleCompiler() {}

  static Predicate<Facts> compile(Rule rule) {
    List<Predicate<Facts>> clauses = new ArrayList<>();
    for (Clause clause : rule.clauses()) {
      if (!clause.matches().isEmpty()) {
        clauses.add(compile(clause));
      }
    }
    return all(clauses);
  }

  private static Predicate<Facts> compile(Clause clause) {
    List<Predicate<Facts>> matches = new ArrayList<>();
    for (Match match : clause.matches()) {
      if (!match.isEmpty()) {
        matches.add(compile(match));
      }
    }
    return any(matches);
  }

  private static Predicate<Facts> compile(Match match) {
    List<Predicate<Facts>> tests = new ArrayList<>();
    add(tests, match.destinationPorts(), RuleCompiler::ports);
    add(tests, match.namespaces(), values -> strings(values, Facts::namespace));
    add(tests, match.serviceAccounts(), RuleCompiler::accounts);
    add(tests, match.principals(), values -> strings(values, Facts::principal));
    add(tests, match.sourceIps(), values -> prefixes(values, Facts::source));
    add(tests, match.destinationIps(), values -> prefixes(values, Facts::destination));
    return all(tests);
  }

  private static <T> void add(
      List<Predicate<Facts>> tests,
      Condition<T> condition,
      Function<List<T>, Predicate<Facts>> hit) {
    if (!condition.anyOf().isEmpty()) {
      tests.add(hit.apply(condition.anyOf()));
    }
    if (!condition.noneOf().isEmpty()) {
      tests.add(hit.apply(condition.noneOf()).negate());
    }
  }

  private static Predicate<Facts> strings(
      List<StringMatch> values, Function<Facts, @Nullable String> attribute) {
    Set<String> exact = new HashSet<>();
    List<StringMatch> others = new ArrayList<>();
    for (StringMatch value : values) {
      if (value instanceof StringMatch.Exact only) {
        exact.add(only.value());
      } else {
        others.add(value);
      }
    }
    Set<String> exactValues = Set.copyOf(exact);
    List<StringMatch> otherValues = List.copyOf(others);
    return facts -> {
      String value = attribute.apply(facts);
      return value != null && (exactValues.contains(value) || anyMatches(otherValues, value));
    };
  }

  private static boolean anyMatches(List<StringMatch> matches, String value) {
    for (StringMatch match : matches) {
      if (match.matches(value)) {
        return true;
      }
    }
    return false;
  }

  private static Predicate<Facts> accounts(List<ServiceAccountMatch> values) {
    Set<ServiceAccountMatch> accepted = Set.copyOf(values);
    return facts -> {
      ServiceAccountMatch account = facts.account();
      return account != null && accepted.contains(account);
    };
  }

  private static Predicate<Facts> ports(List<Integer> values) {
    Set<Integer> accepted = Set.copyOf(values);
    return facts -> accepted.contains(facts.destinationPort());
  }

  private static Predicate<Facts> prefixes(
      List<Cidr> values, Function<Facts, InetAddress> attribute) {
    return facts -> {
      for (Cidr prefix : values) {
        if (prefix.contains(attribute.apply(facts))) {
          return true;
        }
      }
      return false;
    };
  }

  private static Predicate<Facts> all(List<Predicate<Facts>> tests) {
    List<Predicate<Facts>> needed = List.copyOf(tests);
    return facts -> {
      for (Predicate<Facts> test : needed) {
        if (!test.test(facts)) {
          return false;
        }
      }
      return true;
    };
  }

  private static Predicate<Facts> any(List<Predicate<Facts>> tests) {
    List<Predicate<Facts>> alternatives = List.copyOf(tests);
    return facts -> {
      for (Predicate<Facts> test : alternatives) {
        if (test.test(facts)) {
          return true;
        }
      }
      return false;
    };
  }
}
