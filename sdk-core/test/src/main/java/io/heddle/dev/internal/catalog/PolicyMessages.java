// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.catalog;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import io.heddle.internal.net.Cidr;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.proto.security.Action;
import io.heddle.internal.proto.security.Address;
import io.heddle.internal.proto.security.Authorization;
import io.heddle.internal.proto.security.Clause;
import io.heddle.internal.proto.security.Match;
import io.heddle.internal.proto.security.Rule;
import io.heddle.internal.proto.security.Scope;
import io.heddle.internal.proto.security.ServiceAccountMatch;
import io.heddle.internal.proto.security.StringMatch;
import java.util.List;
import java.util.function.Function;

/** Policies as istiod writes them (control-plane reference 3.3). */
final class PolicyMessages {

  private PolicyMessages() {}

  static Authorization of(AuthorizationPolicy policy) {
    Authorization.Builder message =
        Authorization.newBuilder()
            .setName(policy.name())
            .setNamespace(policy.namespace())
            .setScope(Scope.valueOf(policy.scope().name()))
            .setAction(Action.valueOf(policy.action().name()))
            .setDryRun(policy.dryRun());
    policy.rules().forEach(rule -> message.addRules(rule(rule)));
    return message.build();
  }

  private static Rule rule(io.heddle.internal.policy.Rule rule) {
    Rule.Builder message = Rule.newBuilder();
    for (io.heddle.internal.policy.Clause clause : rule.clauses()) {
      message.addClauses(
          Clause.newBuilder().addAllMatches(all(clause.matches(), PolicyMessages::match)));
    }
    return message.build();
  }

  private static Match match(io.heddle.internal.policy.Match match) {
    return Match.newBuilder()
        .addAllNamespaces(all(match.namespaces().anyOf(), PolicyMessages::string))
        .addAllNotNamespaces(all(match.namespaces().noneOf(), PolicyMessages::string))
        .addAllPrincipals(all(match.principals().anyOf(), PolicyMessages::string))
        .addAllNotPrincipals(all(match.principals().noneOf(), PolicyMessages::string))
        .addAllServiceAccounts(all(match.serviceAccounts().anyOf(), PolicyMessages::account))
        .addAllNotServiceAccounts(all(match.serviceAccounts().noneOf(), PolicyMessages::account))
        .addAllSourceIps(all(match.sourceIps().anyOf(), PolicyMessages::range))
        .addAllNotSourceIps(all(match.sourceIps().noneOf(), PolicyMessages::range))
        .addAllDestinationIps(all(match.destinationIps().anyOf(), PolicyMessages::range))
        .addAllNotDestinationIps(all(match.destinationIps().noneOf(), PolicyMessages::range))
        .addAllDestinationPorts(match.destinationPorts().anyOf())
        .addAllNotDestinationPorts(match.destinationPorts().noneOf())
        .build();
  }

  private static StringMatch string(io.heddle.internal.policy.StringMatch match) {
    StringMatch.Builder message = StringMatch.newBuilder();
    if (match instanceof io.heddle.internal.policy.StringMatch.Exact exact) {
      message.setExact(exact.value());
    } else if (match instanceof io.heddle.internal.policy.StringMatch.Prefix prefix) {
      message.setPrefix(prefix.prefix());
    } else if (match instanceof io.heddle.internal.policy.StringMatch.Suffix suffix) {
      message.setSuffix(suffix.suffix());
    } else if (match instanceof io.heddle.internal.policy.StringMatch.Presence) {
      message.setPresence(Empty.getDefaultInstance());
    }
    return message.build();
  }

  private static ServiceAccountMatch account(io.heddle.internal.policy.ServiceAccountMatch match) {
    return ServiceAccountMatch.newBuilder()
        .setNamespace(match.namespace())
        .setServiceAccount(match.serviceAccount())
        .build();
  }

  private static Address range(Cidr range) {
    return Address.newBuilder()
        .setAddress(ByteString.copyFrom(range.network().getAddress()))
        .setLength(range.prefixLength())
        .build();
  }

  private static <T, R> List<R> all(List<T> values, Function<T, R> message) {
    return values.stream().map(message).toList();
  }
}
