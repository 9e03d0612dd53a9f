// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.heddle.internal.net.Cidr;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.Clause;
import io.heddle.internal.policy.Condition;
import io.heddle.internal.policy.Match;
import io.heddle.internal.policy.Rule;
import io.heddle.internal.policy.ServiceAccountMatch;
import io.heddle.internal.policy.StringMatch;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The list {@code policies} of a dump, sorted by the names that workloads know them by. */
final class PolicyDump {

  private PolicyDump() {}

  static ArrayNode of(Map<String, AuthorizationPolicy> policies) {
    ArrayNode list = DumpJson.array();
    new TreeMap<>(policies).values().forEach(policy -> list.add(of(policy)));
    return list;
  }

  private static ObjectNode of(AuthorizationPolicy policy) {
    ObjectNode json = DumpJson.object();
    json.put("name", policy.name());
    json.put("namespace", policy.namespace());
    json.put("scope", DumpJson.camel(policy.scope()));
    json.put("action", DumpJson.camel(policy.action()));
    ArrayNode rules = json.putArray("rules");
    for (Rule rule : policy.rules()) {
      ArrayNode clauses = rules.addArray();
      for (Clause clause : rule.clauses()) {
        ArrayNode matches = clauses.addArray();
        clause.matches().forEach(match -> matches.add(of(match)));
      }
    }
    DumpJson.flag(json, "dryRun", policy.dryRun());
    String defect = policy.defect();
    DumpJson.text(json, "defect", defect == null ? "" : defect);
    return json;
  }

  private static ObjectNode of(Match match) {
    ObjectNode json = DumpJson.object();
    condition(json, "namespaces", match.namespaces(), PolicyDump::comparison);
    condition(json, "serviceAccounts", match.serviceAccounts(), PolicyDump::account);
    condition(json, "principals", match.principals(), PolicyDump::comparison);
    condition(json, "sourceIps", match.sourceIps(), PolicyDump::cidr);
    condition(json, "destinationIps", match.destinationIps(), PolicyDump::cidr);
    condition(json, "destinationPorts", match.destinationPorts(), IntNode::valueOf);
    return json;
  }

  private static <T> void condition(
      ObjectNode json, String name, Condition<T> condition, Function<T, JsonNode> writer) {
    values(json, name, condition.anyOf(), writer);
    String negated = "not" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    values(json, negated, condition.noneOf(), writer);
  }

  private static <T> void values(
      ObjectNode json, String name, List<T> values, Function<T, JsonNode> writer) {
    if (!values.isEmpty()) {
      ArrayNode list = json.putArray(name);
      values.forEach(value -> list.add(writer.apply(value)));
    }
  }

  private static JsonNode comparison(StringMatch match) {
    ObjectNode json = DumpJson.object();
    if (match instanceof StringMatch.Exact exact) {
      json.put("Exact", exact.value());
    } else if (match instanceof StringMatch.Prefix prefix) {
      json.put("Prefix", prefix.prefix());
    } else if (match instanceof StringMatch.Suffix suffix) {
      json.put("Suffix", suffix.suffix());
    } else {
      json.putArray("Presence");
    }
    return json;
  }

  private static JsonNode account(ServiceAccountMatch match) {
    return DumpJson.object()
        .put("namespace", match.namespace())
        .put("serviceAccount", match.serviceAccount());
  }

  private static JsonNode cidr(Cidr cidr) {
    return TextNode.valueOf(cidr.toString());
  }
}
