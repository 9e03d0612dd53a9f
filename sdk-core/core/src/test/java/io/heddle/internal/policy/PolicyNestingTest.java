// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import static io.heddle.internal.policy.Policies.clause;
import static io.heddle.internal.policy.Policies.deny;
import static io.heddle.internal.policy.Policies.evaluate;
import static io.heddle.internal.policy.Policies.exact;
import static io.heddle.internal.policy.Policies.in;
import static io.heddle.internal.policy.Policies.ip;
import static io.heddle.internal.policy.Policies.matches;
import static io.heddle.internal.policy.Policies.namespaces;
import static io.heddle.internal.policy.Policies.notIn;
import static io.heddle.internal.policy.Policies.plaintext;
import static io.heddle.internal.policy.Policies.ports;
import static io.heddle.internal.policy.Policies.presence;
import static io.heddle.internal.policy.Policies.principals;
import static io.heddle.internal.policy.Policies.rule;
import static io.heddle.internal.policy.Policies.sources;
import static io.heddle.internal.policy.Policies.tls;
import static io.heddle.internal.policy.Policies.tlsFrom;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.net.Cidr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The and-or nesting of rules, by table and against the definition. */
class PolicyNestingTest {

  private static final int RANDOM_POLICIES = 5_000;

  static Stream<Arguments> table() {
    Map<String, Object> file = PolicyYaml.load("nesting.yaml");
    Map<String, Object> connection = PolicyYaml.map(file.get("connection"));
    ConnectionAttributes attributes =
        new ConnectionAttributes(
            ip((String) connection.get("sourceIp")),
            SpiffeId.parse("spiffe://" + connection.get("principal")),
            ip((String) connection.get("destinationIp")),
            (Integer) connection.get("destinationPort"));
    return PolicyYaml.list(file.get("cases")).stream()
        .map(PolicyYaml::map)
        .map(
            row ->
                Arguments.of(
                    String.valueOf(row.get("rules")),
                    attributes,
                    PolicyYaml.rules(row.get("rules")),
                    row.get("matches")));
  }

  @ParameterizedTest(name = "B097 {0}")
  @MethodSource("table")
  void table(String text, ConnectionAttributes connection, List<Rule> rules, boolean expected) {
    assertThat(matches(connection, rules.toArray(Rule[]::new))).as(text).isEqualTo(expected);
  }

  @Test
  @DisplayName("B097 port AND (namespace OR principal) AND NOT source")
  void portAndEitherAndNotSource() {
    Rule rule =
        rule(
            clause(ports(in(8080))),
            clause(namespaces(in(exact("shop"))), principals(in(exact("x.test/ns/a/sa/b")))),
            clause(sources(notIn(Cidr.parse("10.9.0.0/16")))));

    assertThat(matches(tls(), rule)).isTrue();
    assertThat(matches(tlsFrom("spiffe://x.test/ns/a/sa/b"), rule)).isTrue();
    assertThat(matches(tlsFrom("spiffe://x.test/ns/a/sa/c"), rule)).isFalse();
    assertThat(
            matches(
                new ConnectionAttributes(ip("10.9.0.1"), Policies.WEB, ip("10.0.0.5"), 8080), rule))
        .isFalse();
    assertThat(
            matches(
                new ConnectionAttributes(ip("10.1.0.7"), Policies.WEB, ip("10.0.0.5"), 8081), rule))
        .isFalse();
  }

  @Test
  @DisplayName("B097 two STRICT ports refuse plain text on both and on no other")
  void strictPorts() {
    AuthorizationPolicy strict =
        deny(
            "converted_peer_authentication_strict",
            rule(clause(principals(notIn(presence()))), clause(ports(in(9090)))),
            rule(clause(principals(notIn(presence()))), clause(ports(in(9091)))));

    assertThat(plainTextTo(9090, strict)).isFalse();
    assertThat(plainTextTo(9091, strict)).isFalse();
    assertThat(plainTextTo(9092, strict)).isTrue();
    assertThat(
            evaluate(
                    new ConnectionAttributes(ip("10.1.0.7"), Policies.WEB, ip("10.0.0.5"), 9090),
                    strict)
                .isAllowed())
        .isTrue();
  }

  private static boolean plainTextTo(int port, AuthorizationPolicy policy) {
    ConnectionAttributes connection =
        new ConnectionAttributes(plaintext().source(), null, plaintext().destination(), port);
    return evaluate(connection, policy).isAllowed();
  }

  @Test
  @DisplayName("B097 compiled policies agree with the definition on random policies")
  void agreesWithDefinition() {
    RandomPolicies random = new RandomPolicies(new Random(97));
    int refused = 0;
    for (int i = 0; i < RANDOM_POLICIES; i++) {
      List<AuthorizationPolicy> policies = new ArrayList<>();
      for (int n = random.upTo(4); n > 0; n--) {
        policies.add(random.policy("p" + n));
      }
      CompiledPolicies compiled = PolicySet.of(policies).forDestination("pay", List.of());
      for (int n = 0; n < 4; n++) {
        ConnectionAttributes connection = random.connection();
        boolean expected = NaivePolicies.allows(policies, connection);
        if (compiled.evaluate(connection).isAllowed() != expected) {
          fail("expected allowed = %s of %s%nfor %s", expected, policies, connection);
        }
        refused += expected ? 0 : 1;
      }
    }
    // The comparison says something only if neither answer is rare.
    assertThat(refused).isBetween(RANDOM_POLICIES / 2, RANDOM_POLICIES * 7 / 2);
  }
}
