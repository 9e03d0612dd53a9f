// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import io.heddle.internal.net.Cidr;
import io.heddle.internal.policy.Action;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.Clause;
import io.heddle.internal.policy.Condition;
import io.heddle.internal.policy.Match;
import io.heddle.internal.policy.Rule;
import io.heddle.internal.policy.Scope;
import io.heddle.internal.policy.ServiceAccountMatch;
import io.heddle.internal.policy.StringMatch;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads an entry of {@code policies}. */
final class PolicyReader {

  private static final Map<String, Scope> SCOPES =
      Map.of(
          "Global", Scope.GLOBAL,
          "Namespace", Scope.NAMESPACE,
          "WorkloadSelector", Scope.WORKLOAD_SELECTOR);
  private static final Map<String, Action> ACTIONS =
      Map.of("Allow", Action.ALLOW, "Deny", Action.DENY);
  private static final List<String> COMPARISONS = List.of("Exact", "Prefix", "Suffix", "Presence");
  private static final String COMPARISON_ADVICE =
      "write how to compare: !Exact x, !Prefix x, !Suffix x or !Presence [], or {Exact: x}";

  private PolicyReader() {}

  static @Nullable AuthorizationPolicy read(YamlMapping fields) {
    String name = fields.requiredText("name");
    String namespace = fields.requiredText("namespace");
    Scope scope = fields.requiredChoice("scope", SCOPES);
    Action action = fields.requiredChoice("action", ACTIONS);
    boolean dryRun = fields.flag("dryRun");
    List<Rule> rules =
        fields.requiredList("rules", rule -> new Rule(rule.items(PolicyReader::clause)));
    fields.rejectOthers();
    if (name.isEmpty() || scope == null || action == null) {
      return null;
    }
    YamlValue self = fields.self();
    self.reading().claim(self, "the policy '" + namespace + "/" + name + "'");
    return new AuthorizationPolicy(namespace, name, scope, action, dryRun, rules);
  }

  private static Clause clause(YamlValue value) {
    return new Clause(value.items(match -> match.mapping().readBy(PolicyReader::match)));
  }

  private static Match match(YamlMapping fields) {
    Match match =
        new Match(
            condition(fields, "namespaces", PolicyReader::comparison),
            condition(fields, "serviceAccounts", PolicyReader::serviceAccount),
            condition(fields, "principals", PolicyReader::comparison),
            condition(fields, "sourceIps", PolicyReader::cidr),
            condition(fields, "destinationIps", PolicyReader::cidr),
            condition(fields, "destinationPorts", PolicyReader::port));
    fields.rejectOthers();
    return match;
  }

  private static <T> Condition<T> condition(
      YamlMapping fields, String name, Function<YamlValue, @Nullable T> reader) {
    String negated = "not" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    return new Condition<>(fields.list(name, reader), fields.list(negated, reader));
  }

  private static @Nullable Integer port(YamlValue value) {
    Long port = value.number(0, 65_535);
    return port == null ? null : port.intValue();
  }

  private static @Nullable Cidr cidr(YamlValue value) {
    return value.parsed(Cidr::parse, "write ip/length");
  }

  private static @Nullable ServiceAccountMatch serviceAccount(YamlValue value) {
    YamlMapping fields = value.mapping();
    String namespace = fields.requiredText("namespace");
    String account = fields.requiredText("serviceAccount");
    fields.rejectOthers();
    return new ServiceAccountMatch(namespace, account);
  }

  /** The node proxy's file tags the value; its dump, and most people, write a mapping. */
  private static @Nullable StringMatch comparison(YamlValue value) {
    String tag = value.ownTag();
    if (tag != null) {
      return comparison(tag, value.untagged());
    }
    if (value.node() instanceof MappingNode) {
      YamlMapping mapping = value.mapping();
      String key = mapping.onlyKey();
      YamlValue operand = key == null ? null : mapping.raw(key);
      if (key != null && operand != null) {
        return comparison(key, operand);
      }
    }
    value.reject("found " + value.kind(), COMPARISON_ADVICE);
    return null;
  }

  private static @Nullable StringMatch comparison(String how, YamlValue operand) {
    if (how.equals("Presence")) {
      return presence(operand);
    }
    if (!COMPARISONS.contains(how)) {
      operand.reject("there is no comparison '" + how + "'", Spelling.advice(how, COMPARISONS));
      return null;
    }
    String text = operand.text();
    if (text == null) {
      return null;
    }
    return switch (how) {
      case "Exact" -> new StringMatch.Exact(text);
      case "Prefix" -> new StringMatch.Prefix(text);
      default -> new StringMatch.Suffix(text);
    };
  }

  private static @Nullable StringMatch presence(YamlValue operand) {
    boolean empty =
        operand.isNull()
            || (operand.node() instanceof CollectionNode<?> list && list.getValue().isEmpty())
            || (operand.node() instanceof ScalarNode scalar && scalar.getValue().isEmpty());
    if (!empty) {
      operand.reject("presence compares with nothing, found " + operand.kind(), "write []");
      return null;
    }
    return new StringMatch.Presence();
  }
}
