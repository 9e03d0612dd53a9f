// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import static io.heddle.internal.policy.Policies.accounts;
import static io.heddle.internal.policy.Policies.allow;
import static io.heddle.internal.policy.Policies.clause;
import static io.heddle.internal.policy.Policies.deny;
import static io.heddle.internal.policy.Policies.destinations;
import static io.heddle.internal.policy.Policies.dryRunAllow;
import static io.heddle.internal.policy.Policies.dryRunDeny;
import static io.heddle.internal.policy.Policies.evaluate;
import static io.heddle.internal.policy.Policies.exact;
import static io.heddle.internal.policy.Policies.in;
import static io.heddle.internal.policy.Policies.ip;
import static io.heddle.internal.policy.Policies.matches;
import static io.heddle.internal.policy.Policies.namespaces;
import static io.heddle.internal.policy.Policies.notIn;
import static io.heddle.internal.policy.Policies.plaintext;
import static io.heddle.internal.policy.Policies.ports;
import static io.heddle.internal.policy.Policies.prefix;
import static io.heddle.internal.policy.Policies.presence;
import static io.heddle.internal.policy.Policies.principals;
import static io.heddle.internal.policy.Policies.rule;
import static io.heddle.internal.policy.Policies.sources;
import static io.heddle.internal.policy.Policies.suffix;
import static io.heddle.internal.policy.Policies.tls;
import static io.heddle.internal.policy.Policies.tlsFrom;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.net.Cidr;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the peer's own tests check of authorization (HBONE reference 10, RB). */
class PolicyReferenceTest {

  private static final String OTHER = "spiffe://partner.test/ns/bank/sa/teller";

  static Stream<Arguments> emptyParts() {
    return Stream.of(
        Arguments.of("an empty match never holds", List.of(rule(Match.empty())), false),
        Arguments.of("a clause without matches holds", List.of(rule(clause())), true),
        Arguments.of("a rule without clauses holds", List.of(rule()), true),
        Arguments.of("a policy without rules never matches", List.of(), false));
  }

  @ParameterizedTest(name = "RB-01 {0}")
  @MethodSource("emptyParts")
  void emptyParts(String what, List<Rule> rules, boolean expected) {
    assertThat(matches(tls(), rules.toArray(Rule[]::new))).as(what).isEqualTo(expected);
  }

  @Test
  @DisplayName("RB-02 a rule needs each of its clauses, and a clause one of its matches")
  void clausesAreAnd() {
    Rule shopOrPayOn8080 =
        rule(
            clause(namespaces(in(exact("shop"))), namespaces(in(exact("pay")))),
            clause(ports(in(8080))));
    Rule shopOrPayOn9090 =
        rule(
            clause(namespaces(in(exact("shop"))), namespaces(in(exact("pay")))),
            clause(ports(in(9090))));

    assertThat(matches(tls(), shopOrPayOn8080)).isTrue();
    assertThat(matches(tls(), shopOrPayOn9090)).isFalse();
    assertThat(matches(tlsFrom(OTHER), shopOrPayOn8080)).isFalse();
    assertThat(matches(tlsFrom("spiffe://x.test/ns/pay/sa/api"), shopOrPayOn8080)).isTrue();
  }

  @Test
  @DisplayName("RB-03 a policy matches when one of its rules does")
  void rulesAreOr() {
    Rule misses = rule(ports(in(1)));
    Rule hits = rule(ports(in(8080)));

    assertThat(matches(tls(), misses, hits, misses)).isTrue();
    assertThat(matches(tls(), misses, misses)).isFalse();
  }

  static Stream<Arguments> attributes() {
    ServiceAccountMatch web = new ServiceAccountMatch("shop", "web");
    Cidr sourcedWithHostBits = Cidr.parse("10.1.0.200/24");
    // Expected for: plain text, shop/web, another peer; all come from 10.1.0.7 to 10.0.0.5:8080.
    return Stream.of(
        Arguments.of("namespaces", namespaces(in(exact("shop"))), false, true, false),
        Arguments.of("notNamespaces", namespaces(notIn(exact("shop"))), true, false, true),
        Arguments.of("serviceAccounts", accounts(in(web)), false, true, false),
        Arguments.of("notServiceAccounts", accounts(notIn(web)), true, false, true),
        Arguments.of(
            "principals", principals(in(exact("mesh.test/ns/shop/sa/web"))), false, true, false),
        Arguments.of(
            "notPrincipals",
            principals(notIn(exact("mesh.test/ns/shop/sa/web"))),
            true,
            false,
            true),
        Arguments.of("no principal at all", principals(notIn(presence())), true, false, false),
        Arguments.of("sourceIps", sources(in(sourcedWithHostBits)), true, true, true),
        Arguments.of("notSourceIps", sources(notIn(sourcedWithHostBits)), false, false, false),
        Arguments.of("destinationIps", destinations(in(Cidr.parse("10.0.0.5"))), true, true, true),
        Arguments.of(
            "notDestinationIps", destinations(notIn(Cidr.parse("10.0.0.0/30"))), true, true, true),
        Arguments.of("destinationPorts", ports(in(8080)), true, true, true),
        Arguments.of("notDestinationPorts", ports(notIn(8080)), false, false, false));
  }

  @ParameterizedTest(name = "RB-04 {0}")
  @MethodSource("attributes")
  void attributes(String what, Match match, boolean plain, boolean web, boolean other) {
    assertThat(matches(plaintext(), rule(match))).as(what + ", plain text").isEqualTo(plain);
    assertThat(matches(tls(), rule(match))).as(what + ", shop/web").isEqualTo(web);
    assertThat(matches(tlsFrom(OTHER), rule(match))).as(what + ", other").isEqualTo(other);
  }

  static Stream<Arguments> stringMatches() {
    return Stream.of(
        Arguments.of("exact", exact("shop"), "shop", true),
        Arguments.of("exact, other case", exact("Shop"), "shop", false),
        Arguments.of("exact, longer", exact("shop"), "shops", false),
        Arguments.of("prefix", prefix("sh"), "shop", true),
        Arguments.of("prefix, elsewhere", prefix("ho"), "shop", false),
        Arguments.of("suffix", suffix("op"), "shop", true),
        Arguments.of("suffix, elsewhere", suffix("ho"), "shop", false),
        Arguments.of("presence", presence(), "shop", true),
        Arguments.of("presence of nothing", presence(), "", false),
        Arguments.of("empty exact of nothing", exact(""), "", true),
        Arguments.of("empty prefix of nothing", prefix(""), "", true),
        Arguments.of("empty suffix of nothing", suffix(""), "", true));
  }

  @ParameterizedTest(name = "RB-05 {0}")
  @MethodSource("stringMatches")
  void stringMatches(String what, StringMatch match, String value, boolean expected) {
    assertThat(match.matches(value)).as(what).isEqualTo(expected);
  }

  @ParameterizedTest(name = "RB-05 namespaces {0} against plain text")
  @MethodSource("emptySubjects")
  void emptySubject(StringMatch match, boolean expected) {
    assertThat(matches(plaintext(), rule(namespaces(in(match))))).isEqualTo(expected);
  }

  static Stream<Arguments> emptySubjects() {
    return Stream.of(
        Arguments.of(prefix(""), true),
        Arguments.of(suffix(""), true),
        Arguments.of(presence(), false));
  }

  @Test
  @DisplayName("RB-06 without policies everything is allowed")
  void noPolicy() {
    assertThat(evaluate(tls())).isEqualTo(new Verdict.Allowed(null, List.of()));
  }

  @Test
  @DisplayName("RB-06 a matching ALLOW allows, and is named")
  void matchingAllow() {
    Verdict verdict = evaluate(tls(), allow("open", rule(ports(in(8080)))));

    assertThat(verdict).isEqualTo(new Verdict.Allowed("pay/open", List.of()));
  }

  @Test
  @DisplayName("RB-06 an ALLOW that does not match refuses")
  void nonMatchingAllow() {
    Verdict verdict = evaluate(tls(), allow("closed", rule(ports(in(1)))));

    assertThat(verdict)
        .isEqualTo(
            new Verdict.Denied(
                Verdict.Reason.NONE_ALLOWED,
                null,
                "allow policies exist, but none allowed",
                List.of()));
  }

  @Test
  @DisplayName("RB-06 a matching DENY refuses before any ALLOW, and is named")
  void matchingDeny() {
    Verdict verdict =
        evaluate(tls(), allow("open", rule()), deny("not-web", rule(ports(in(8080)))));

    assertThat(verdict)
        .isEqualTo(
            new Verdict.Denied(
                Verdict.Reason.EXPLICITLY_DENIED,
                "pay/not-web",
                "explicitly denied by: pay/not-web",
                List.of()));
  }

  @Test
  @DisplayName("RB-06 a DENY that does not match changes nothing")
  void nonMatchingDeny() {
    assertThat(evaluate(tls(), deny("p", rule(ports(in(1)))))).matches(Verdict::isAllowed);
  }

  @Test
  @DisplayName("RB-07 the verdict comes from the enforced policies, dry-run ones are reported")
  void dryRunBesideReal() {
    Verdict verdict =
        evaluate(
            tls(),
            allow("real", rule(ports(in(8080)))),
            dryRunDeny("strict", rule(ports(in(8080)))),
            dryRunAllow("narrow", rule(ports(in(8080)))));

    assertThat(verdict.isAllowed()).isTrue();
    assertThat(verdict.dryRunNotes())
        .containsExactly(
            "dry-run: would be denied by pay/strict", "dry-run: would be allowed by pay/narrow");
  }

  @Test
  @DisplayName("RB-07 a dry-run ALLOW beside a real one reports nothing when it does not match")
  void dryRunAllowBesideRealAllow() {
    Verdict verdict =
        evaluate(tls(), allow("real", rule()), dryRunAllow("narrow", rule(ports(in(1)))));

    assertThat(verdict).isEqualTo(new Verdict.Allowed("pay/real", List.of()));
  }

  @Test
  @DisplayName("IT-05 allow-nothing for the mesh and an ALLOW for the waypoint leave only its path")
  void allowNothingAndWaypoint() {
    AuthorizationPolicy allowNothing =
        new AuthorizationPolicy("root", "nothing", Scope.GLOBAL, Action.ALLOW, false, List.of());
    AuthorizationPolicy waypointOnly =
        allow("waypoint", rule(principals(in(exact("mesh.test/ns/pay/sa/waypoint")))));

    assertThat(evaluate(tls(), allowNothing, waypointOnly).isAllowed()).isFalse();
    assertThat(
            evaluate(tlsFrom("spiffe://mesh.test/ns/pay/sa/waypoint"), allowNothing, waypointOnly)
                .isAllowed())
        .isTrue();
  }

  @Test
  @DisplayName("RB-02 only the address of the destination counts, in whatever notation it comes")
  void mappedAddresses() throws Exception {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    System.arraycopy(ip("10.1.0.7").getAddress(), 0, mapped, 12, 4);
    InetAddress source = Inet6Address.getByAddress(null, mapped, -1);

    ConnectionAttributes connection = new ConnectionAttributes(source, null, ip("10.0.0.5"), 8080);

    assertThat(matches(connection, rule(sources(in(Cidr.parse("10.1.0.0/16")))))).isTrue();
  }
}
