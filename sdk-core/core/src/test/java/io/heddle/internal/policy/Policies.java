// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.net.Cidr;
import io.heddle.internal.net.IpAddresses;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Short ways to say policies and connections in tests. */
final class Policies {
  static final SpiffeId WEB = SpiffeId.parse("spiffe://mesh.test/ns/shop/sa/web");

  private Policies() {}

  static AuthorizationPolicy allow(String name, Rule... rules) {
    return policy(name, Action.ALLOW, false, rules);
  }

  static AuthorizationPolicy deny(String name, Rule... rules) {
    return policy(name, Action.DENY, false, rules);
  }

  static AuthorizationPolicy dryRunAllow(String name, Rule... rules) {
    return policy(name, Action.ALLOW, true, rules);
  }

  static AuthorizationPolicy dryRunDeny(String name, Rule... rules) {
    return policy(name, Action.DENY, true, rules);
  }

  private static AuthorizationPolicy policy(
      String name, Action action, boolean dryRun, Rule... rules) {
    return new AuthorizationPolicy(
        "pay", name, Scope.NAMESPACE, action, dryRun, Arrays.asList(rules));
  }

  static Rule rule(Clause... clauses) {
    return new Rule(Arrays.asList(clauses));
  }

  /** A rule of one clause of one match. */
  static Rule rule(Match match) {
    return rule(clause(match));
  }

  static Clause clause(Match... matches) {
    return new Clause(Arrays.asList(matches));
  }

  static <T> Condition<T> in(T value) {
    return new Condition<>(List.of(value), List.of());
  }

  static <T> Condition<T> notIn(T value) {
    return new Condition<>(List.of(), List.of(value));
  }

  static StringMatch exact(String value) {
    return new StringMatch.Exact(value);
  }

  static StringMatch prefix(String value) {
    return new StringMatch.Prefix(value);
  }

  static StringMatch suffix(String value) {
    return new StringMatch.Suffix(value);
  }

  static StringMatch presence() {
    return new StringMatch.Presence();
  }

  static Match namespaces(Condition<StringMatch> condition) {
    Match none = Match.empty();
    return new Match(
        condition,
        none.serviceAccounts(),
        none.principals(),
        none.sourceIps(),
        none.destinationIps(),
        none.destinationPorts());
  }

  static Match accounts(Condition<ServiceAccountMatch> condition) {
    Match none = Match.empty();
    return new Match(
        none.namespaces(),
        condition,
        none.principals(),
        none.sourceIps(),
        none.destinationIps(),
        none.destinationPorts());
  }

  static Match principals(Condition<StringMatch> condition) {
    Match none = Match.empty();
    return new Match(
        none.namespaces(),
        none.serviceAccounts(),
        condition,
        none.sourceIps(),
        none.destinationIps(),
        none.destinationPorts());
  }

  static Match sources(Condition<Cidr> condition) {
    Match none = Match.empty();
    return new Match(
        none.namespaces(),
        none.serviceAccounts(),
        none.principals(),
        condition,
        none.destinationIps(),
        none.destinationPorts());
  }

  static Match destinations(Condition<Cidr> condition) {
    Match none = Match.empty();
    return new Match(
        none.namespaces(),
        none.serviceAccounts(),
        none.principals(),
        none.sourceIps(),
        condition,
        none.destinationPorts());
  }

  static Match ports(Condition<Integer> condition) {
    Match none = Match.empty();
    return new Match(
        none.namespaces(),
        none.serviceAccounts(),
        none.principals(),
        none.sourceIps(),
        none.destinationIps(),
        condition);
  }

  static InetAddress ip(String literal) {
    return Objects.requireNonNull(IpAddresses.parse(literal), literal);
  }

  /** From 10.1.0.7 as shop/web to 10.0.0.5:8080. */
  static ConnectionAttributes tls() {
    return new ConnectionAttributes(ip("10.1.0.7"), WEB, ip("10.0.0.5"), 8080);
  }

  /** The same without an identity. */
  static ConnectionAttributes plaintext() {
    return new ConnectionAttributes(ip("10.1.0.7"), null, ip("10.0.0.5"), 8080);
  }

  /** The same as tls(), but by another peer. */
  static ConnectionAttributes tlsFrom(String spiffeId) {
    return new ConnectionAttributes(ip("10.1.0.7"), SpiffeId.parse(spiffeId), ip("10.0.0.5"), 8080);
  }

  /** What the policies of namespace pay say. */
  static Verdict evaluate(ConnectionAttributes connection, AuthorizationPolicy... policies) {
    return PolicySet.of(Arrays.asList(policies))
        .forDestination("pay", List.of())
        .evaluate(connection);
  }

  /** Whether one ALLOW policy of these rules admits the connection. */
  static boolean matches(ConnectionAttributes connection, Rule... rules) {
    return evaluate(connection, allow("p", rules)).isAllowed();
  }
}
