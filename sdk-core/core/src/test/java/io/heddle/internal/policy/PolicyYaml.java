// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import io.heddle.internal.net.Cidr;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads the case files under {@code policies/}. */
final class PolicyYaml {

  private PolicyYaml() {}

  static Map<String, Object> load(String resource) {
    try (InputStream in = PolicyYaml.class.getResourceAsStream("/policies/" + resource)) {
      Object root =
          new Load(LoadSettings.builder().build())
              .loadFromInputStream(Objects.requireNonNull(in, resource));
      return map(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Object node) {
    return (Map<String, Object>) node;
  }

  @SuppressWarnings("unchecked")
  static <T> List<T> list(Object node) {
    return node == null ? List.of() : (List<T>) node;
  }

  /** Rules as nested lists: rules of clauses of matches. */
  static List<Rule> rules(Object node) {
    List<Rule> rules = new ArrayList<>();
    for (List<List<Object>> clauses : PolicyYaml.<List<List<Object>>>list(node)) {
      rules.add(
          new Rule(
              clauses.stream()
                  .map(matches -> new Clause(matches.stream().map(PolicyYaml::match).toList()))
                  .toList()));
    }
    return rules;
  }

  static Match match(Object node) {
    Map<String, Object> fields = map(node);
    return new Match(
        condition(fields, "namespaces", "notNamespaces", PolicyYaml::string),
        condition(fields, "serviceAccounts", "notServiceAccounts", PolicyYaml::account),
        condition(fields, "principals", "notPrincipals", PolicyYaml::string),
        condition(fields, "sourceIps", "notSourceIps", value -> Cidr.parse((String) value)),
        condition(fields, "destinationIps", "notDestinationIps", v -> Cidr.parse((String) v)),
        condition(fields, "destinationPorts", "notDestinationPorts", value -> (Integer) value));
  }

  private static <T> Condition<T> condition(
      Map<String, Object> fields, String in, String notIn, Function<Object, T> value) {
    return new Condition<>(
        list(fields.get(in)).stream().map(value).toList(),
        list(fields.get(notIn)).stream().map(value).toList());
  }

  private static StringMatch string(Object node) {
    Map.Entry<String, Object> only = map(node).entrySet().iterator().next();
    return switch (only.getKey()) {
      case "exact" -> new StringMatch.Exact((String) only.getValue());
      case "prefix" -> new StringMatch.Prefix((String) only.getValue());
      case "suffix" -> new StringMatch.Suffix((String) only.getValue());
      case "presence" -> new StringMatch.Presence();
      default -> throw new IllegalArgumentException(only.getKey());
    };
  }

  private static ServiceAccountMatch account(Object node) {
    Map<String, Object> fields = map(node);
    return new ServiceAccountMatch(
        (String) fields.get("namespace"), (String) fields.get("serviceAccount"));
  }
}
