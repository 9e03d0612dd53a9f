// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.ConnectionAttributes;
import io.heddle.internal.policy.PolicySet;
import io.heddle.internal.policy.Verdict;
import io.heddle.internal.proto.security.Action;
import io.heddle.internal.proto.security.Authorization;
import io.heddle.internal.proto.security.Clause;
import io.heddle.internal.proto.security.Match;
import io.heddle.internal.proto.security.Rule;
import io.heddle.internal.proto.security.StringMatch;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What policies say of a connection of shop/web to port 8080, from the bytes of their messages. */
class VerdictsFromMessagesTest {

  private static final Match PORT = Match.newBuilder().addDestinationPorts(8080).build();
  private static final Match OTHER_PORT = Match.newBuilder().addDestinationPorts(9090).build();
  private static final Match SHOP = from("shop");
  private static final Match PAY = from("pay");

  @Test
  @DisplayName("CP-18 a DENY that matches wins over an ALLOW that matches")
  void denyWins() {
    assertThat(verdict(allow("open", rule(clause(PORT))), deny("closed", rule(clause(SHOP)))))
        .isInstanceOfSatisfying(
            Verdict.Denied.class,
            denied -> assertThat(denied.message()).isEqualTo("explicitly denied by: shop/closed"));
  }

  @Test
  @DisplayName("CP-18 an ALLOW that does not match refuses what no DENY names")
  void allowMisses() {
    assertThat(
            verdict(allow("other", rule(clause(OTHER_PORT))), deny("pay", rule(clause(PAY))))
                .isAllowed())
        .isFalse();
  }

  @Test
  @DisplayName("CP-18 a dry run denies nothing")
  void dryRunDenies() {
    assertThat(verdict(deny("closed", rule(clause(PORT))).setDryRun(true)).isAllowed()).isTrue();
  }

  @Test
  @DisplayName("CP-18 a dry run that allows is no ALLOW: others are not refused for it")
  void dryRunAllows() {
    assertThat(verdict(allow("narrow", rule(clause(OTHER_PORT))).setDryRun(true)).isAllowed())
        .isTrue();
  }

  static Stream<Arguments> shapes() {
    Rule inShopOrPay = rule(clause(SHOP, PAY), clause(PORT));
    Rule inShopOnOtherPort = rule(clause(SHOP), clause(OTHER_PORT));
    return Stream.of(
        Arguments.of("no rules never match", List.of(), false),
        Arguments.of("a rule without clauses matches everything", List.of(rule()), true),
        Arguments.of("a clause without matches matches everything", List.of(rule(clause())), true),
        Arguments.of(
            "a match without fields matches nothing",
            List.of(rule(clause(Match.getDefaultInstance()))),
            false),
        Arguments.of("matches of a clause are alternatives", List.of(inShopOrPay), true),
        Arguments.of("clauses of a rule are all needed", List.of(inShopOnOtherPort), false),
        Arguments.of(
            "one rule of several is enough", List.of(inShopOnOtherPort, inShopOrPay), true),
        Arguments.of(
            "fields of a match are all needed",
            List.of(rule(clause(SHOP.toBuilder().addDestinationPorts(9090).build()))),
            false));
  }

  @ParameterizedTest(name = "CP-19 {0}")
  @MethodSource("shapes")
  void shapes(String what, List<Rule> rules, boolean matches) {
    Rule[] these = rules.toArray(Rule[]::new);

    assertThat(verdict(allow("p", these)).isAllowed()).as(what).isEqualTo(matches);
    assertThat(verdict(deny("p", these)).isAllowed()).as(what).isEqualTo(!matches);
  }

  private static Verdict verdict(Authorization.Builder... messages) {
    List<AuthorizationPolicy> policies =
        Stream.of(messages)
            .map(Authorization.Builder::build)
            .map(AuthorizationReader::read)
            .toList();
    return PolicySet.of(policies)
        .forDestination("shop", List.of())
        .evaluate(
            new ConnectionAttributes(
                Objects.requireNonNull(IpAddresses.parse("10.1.0.7")),
                SpiffeId.parse("spiffe://cluster.local/ns/shop/sa/web"),
                Objects.requireNonNull(IpAddresses.parse("10.0.0.5")),
                8080));
  }

  private static Authorization.Builder allow(String name, Rule... rules) {
    return Responses.policy(name).setAction(Action.ALLOW).addAllRules(List.of(rules));
  }

  private static Authorization.Builder deny(String name, Rule... rules) {
    return Responses.policy(name).setAction(Action.DENY).addAllRules(List.of(rules));
  }

  private static Rule rule(Clause... clauses) {
    return Rule.newBuilder().addAllClauses(List.of(clauses)).build();
  }

  private static Clause clause(Match... matches) {
    return Clause.newBuilder().addAllMatches(List.of(matches)).build();
  }

  private static Match from(String namespace) {
    return Match.newBuilder().addNamespaces(StringMatch.newBuilder().setExact(namespace)).build();
  }
}
