// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import static io.heddle.internal.policy.Policies.allow;
import static io.heddle.internal.policy.Policies.clause;
import static io.heddle.internal.policy.Policies.deny;
import static io.heddle.internal.policy.Policies.dryRunAllow;
import static io.heddle.internal.policy.Policies.dryRunDeny;
import static io.heddle.internal.policy.Policies.evaluate;
import static io.heddle.internal.policy.Policies.exact;
import static io.heddle.internal.policy.Policies.in;
import static io.heddle.internal.policy.Policies.ip;
import static io.heddle.internal.policy.Policies.matches;
import static io.heddle.internal.policy.Policies.namespaces;
import static io.heddle.internal.policy.Policies.ports;
import static io.heddle.internal.policy.Policies.prefix;
import static io.heddle.internal.policy.Policies.principals;
import static io.heddle.internal.policy.Policies.rule;
import static io.heddle.internal.policy.Policies.sources;
import static io.heddle.internal.policy.Policies.suffix;
import static io.heddle.internal.policy.Policies.tls;
import static io.heddle.internal.policy.Policies.tlsFrom;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.net.Cidr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What went wrong in the field with policies. */
class PolicyFieldReportsTest {

  private static final AuthorizationPolicy ALLOW_WEB =
      allow("web", rule(principals(in(exact("mesh.test/ns/shop/sa/web")))));
  private static final AuthorizationPolicy ALLOW_BANK =
      allow("bank", rule(namespaces(in(exact("bank")))));
  private static final AuthorizationPolicy DENY_WEB =
      deny("no-web", rule(principals(in(exact("mesh.test/ns/shop/sa/web")))));

  private static boolean allows(PolicySet policies, ConnectionAttributes connection) {
    return policies.forDestination("pay", List.of()).evaluate(connection).isAllowed();
  }

  @Test
  @DisplayName("B094 a new DENY turns the verdict on the attributes of an open connection")
  void newDeny() {
    ConnectionAttributes open = tls();
    PolicySet before = PolicySet.of(List.of());

    PolicySet after = before.with(Map.of(DENY_WEB.key(), DENY_WEB), Set.of());

    assertThat(allows(before, open)).isTrue();
    assertThat(allows(after, open)).isFalse();
    assertThat(allows(after, tlsFrom("spiffe://mesh.test/ns/shop/sa/other"))).isTrue();
  }

  @Test
  @DisplayName("B094 removing the only ALLOW that matched turns the verdict")
  void removedAllow() {
    ConnectionAttributes open = tls();
    PolicySet before = PolicySet.of(List.of(ALLOW_WEB, ALLOW_BANK));

    PolicySet after = before.with(Map.of(), Set.of(ALLOW_WEB.key()));

    assertThat(allows(before, open)).isTrue();
    assertThat(allows(after, open)).isFalse();
  }

  @Test
  @DisplayName("B094 a policy that stops being a dry run turns the verdict")
  void dryRunEnds() {
    ConnectionAttributes open = tls();
    AuthorizationPolicy tried = dryRunDeny("no-web", DENY_WEB.rules().toArray(Rule[]::new));
    PolicySet before = PolicySet.of(List.of(tried));

    PolicySet after = before.with(Map.of(DENY_WEB.key(), DENY_WEB), Set.of());

    assertThat(allows(before, open)).isTrue();
    assertThat(allows(after, open)).isFalse();
  }

  @Test
  @DisplayName("B094 deleting the DENY lets new connections in again")
  void denyDeleted() {
    PolicySet before = PolicySet.of(List.of(DENY_WEB));

    PolicySet after = before.with(Map.of(), Set.of(DENY_WEB.key()));

    assertThat(allows(before, tls())).isFalse();
    assertThat(allows(after, tls())).isTrue();
  }

  @Test
  @DisplayName("B095 a policy that changes its scope leaves the former one")
  void scopeChanges() {
    Map<String, Object> file = PolicyYaml.load("policy-sequences.yaml");
    Map<String, Object> fields = new HashMap<>(PolicyYaml.map(file.get("policy")));
    PolicySet policies = PolicySet.of(List.of());
    String lastName = "";
    for (Object node : PolicyYaml.list(file.get("steps"))) {
      Map<String, Object> step = PolicyYaml.map(node);
      boolean removed = step.containsKey("remove");
      if (!removed) {
        fields.putAll(PolicyYaml.map(step.get("set")));
      }
      AuthorizationPolicy policy = policy(fields);
      Set<String> gone = removed || !policy.key().equals(lastName) ? Set.of(lastName) : Set.of();
      policies = policies.with(removed ? Map.of() : Map.of(policy.key(), policy), gone);
      lastName = policy.key();

      assertThat(refusedBy(policies, PolicyYaml.list(file.get("workloads"))))
          .as("after %s", step)
          .isEqualTo(step.get("refused"));
    }
  }

  private static AuthorizationPolicy policy(Map<String, Object> fields) {
    return new AuthorizationPolicy(
        (String) fields.get("namespace"),
        (String) fields.get("name"),
        Scope.valueOf((String) fields.get("scope")),
        Action.valueOf((String) fields.get("action")),
        Boolean.TRUE.equals(fields.get("dryRun")),
        PolicyYaml.rules(fields.get("rules")));
  }

  private static List<String> refusedBy(PolicySet policies, List<Object> workloads) {
    List<String> refusing = new ArrayList<>();
    for (Object node : workloads) {
      Map<String, Object> workload = PolicyYaml.map(node);
      CompiledPolicies compiled =
          policies.forDestination(
              (String) workload.get("namespace"),
              PolicyYaml.list(workload.get("authorizationPolicies")));
      if (!compiled.evaluate(tls()).isAllowed()) {
        refusing.add((String) workload.get("uid"));
      }
    }
    return refusing;
  }

  static Stream<Arguments> principalPolicies() {
    Map<String, Object> file = PolicyYaml.load("principals.yaml");
    List<String> peers = PolicyYaml.list(file.get("peers"));
    return PolicyYaml.list(file.get("policies")).stream()
        .map(PolicyYaml::map)
        .map(
            row ->
                Arguments.of(
                    row.toString(),
                    allow("p", rule(PolicyYaml.match(row))),
                    peers,
                    PolicyYaml.<Integer>list(row.get("admits")),
                    Boolean.TRUE.equals(row.get("warn"))));
  }

  @ParameterizedTest(name = "B096 {0}")
  @MethodSource("principalPolicies")
  void principalPolicies(
      String text,
      AuthorizationPolicy policy,
      List<String> peers,
      List<Integer> admits,
      boolean warns) {
    List<Integer> admitted =
        IntStream.rangeClosed(1, peers.size())
            .filter(n -> evaluate(from(peers.get(n - 1)), policy).isAllowed())
            .boxed()
            .toList();

    assertThat(admitted).as(text).isEqualTo(admits);
    assertThat(PolicySet.of(List.of(policy)).warnings()).as(text).hasSize(warns ? 1 : 0);
  }

  private static ConnectionAttributes from(String peer) {
    return peer.startsWith("spiffe:") ? tlsFrom(peer) : Policies.plaintext();
  }

  @Test
  @DisplayName("B096 the warning names the policy, the place and the value")
  void schemeWarning() {
    AuthorizationPolicy policy =
        allow(
            "web",
            rule(ports(in(80))),
            rule(
                clause(ports(in(80))),
                clause(principals(in(prefix("spiffe://mesh.test/ns/shop/"))))));

    assertThat(PolicySet.of(List.of(policy)).warnings())
        .containsExactly(
            "policy pay/web: rules[1][1][0]: principal 'spiffe://mesh.test/ns/shop/' matches no"
                + " peer, because principals are compared without 'spiffe://'");
  }

  @Test
  @DisplayName("B096 the warning goes when the policy is corrected or removed")
  void schemeWarningGoes() {
    AuthorizationPolicy wrong = allow("web", rule(principals(in(exact("spiffe://a/ns/b/sa/c")))));
    PolicySet policies = PolicySet.of(List.of(wrong));

    assertThat(policies.with(Map.of("pay/web", ALLOW_WEB), Set.of()).warnings()).isEmpty();
    assertThat(policies.with(Map.of(), Set.of("pay/web")).warnings()).isEmpty();
  }

  static Stream<Arguments> literals() {
    return Stream.of(
        Arguments.of(namespaces(in(exact("a.c"))), "spiffe://t/ns/abc/sa/x", false),
        Arguments.of(namespaces(in(exact("a.c"))), "spiffe://t/ns/a.c/sa/x", true),
        Arguments.of(namespaces(in(prefix("pay-"))), "spiffe://t/ns/payX/sa/x", false),
        Arguments.of(namespaces(in(prefix("pay-"))), "spiffe://t/ns/pay-eu/sa/x", true),
        Arguments.of(namespaces(in(suffix(".sa"))), "spiffe://t/ns/nosa/sa/x", false),
        Arguments.of(namespaces(in(exact("*"))), "spiffe://t/ns/shop/sa/x", false),
        Arguments.of(namespaces(in(prefix("*"))), "spiffe://t/ns/shop/sa/x", false),
        Arguments.of(principals(in(exact("t/ns/a+/sa/x"))), "spiffe://t/ns/aa/sa/x", false),
        Arguments.of(principals(in(exact("t/ns/[a]/sa/x"))), "spiffe://t/ns/a/sa/x", false),
        Arguments.of(principals(in(prefix("t/ns/("))), "spiffe://t/ns/a/sa/x", false));
  }

  @ParameterizedTest(name = "B099 {0} against {1}")
  @MethodSource("literals")
  void literals(Match match, String peer, boolean expected) {
    assertThat(matches(tlsFrom(peer), rule(match))).isEqualTo(expected);
  }

  @Test
  @DisplayName("B101 a named policy that has not arrived refuses, and says that waiting may help")
  void notArrived() {
    PolicySet policies = PolicySet.of(List.of());

    Verdict verdict = policies.forDestination("pay", List.of("pay/p1")).evaluate(tls());

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Denied.class,
            denied -> {
              assertThat(denied.reason()).isEqualTo(Verdict.Reason.POLICY_NOT_ARRIVED);
              assertThat(denied.policy()).isEqualTo("pay/p1");
              assertThat(denied.isProvisional()).isTrue();
            });
  }

  @Test
  @DisplayName("B101 the verdict is final when the policy arrives")
  void arrives() {
    PolicySet policies = PolicySet.of(List.of()).with(Map.of("pay/no-web", DENY_WEB), Set.of());

    Verdict verdict = policies.forDestination("pay", List.of("pay/no-web")).evaluate(tls());

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Denied.class, denied -> assertThat(denied.isProvisional()).isFalse());
  }

  @Test
  @DisplayName("B101 a missing ALLOW beside one that does not match is waited for too")
  void missingAllow() {
    PolicySet policies = PolicySet.of(List.of(ALLOW_BANK));

    Verdict verdict = policies.forDestination("pay", List.of("pay/p1")).evaluate(tls());

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Denied.class,
            denied -> assertThat(denied.reason()).isEqualTo(Verdict.Reason.POLICY_NOT_ARRIVED));
  }

  @Test
  @DisplayName("B101 a DENY that matches needs no other policy to decide")
  void denyDecides() {
    PolicySet policies = PolicySet.of(List.of(DENY_WEB));

    Verdict verdict = policies.forDestination("pay", List.of("pay/p1")).evaluate(tls());

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Denied.class,
            denied -> assertThat(denied.reason()).isEqualTo(Verdict.Reason.EXPLICITLY_DENIED));
  }

  @Test
  @DisplayName("B101 a policy that was here and was withdrawn is not waited for")
  void withdrawn() {
    PolicySet policies = PolicySet.of(List.of(DENY_WEB)).with(Map.of(), Set.of("pay/no-web"));

    Verdict verdict = policies.forDestination("pay", List.of("pay/no-web")).evaluate(tls());

    assertThat(verdict.isAllowed()).isTrue();
  }

  @Test
  @DisplayName("B101 the parity switch leaves missing policies out, as the peer does")
  void parity() {
    PolicySet policies = PolicySet.empty(UnknownPolicies.IGNORE);

    Verdict verdict = policies.forDestination("pay", List.of("pay/p1")).evaluate(tls());

    assertThat(verdict.isAllowed()).isTrue();
  }

  static Stream<Arguments> dryRunCases() {
    Map<String, Object> file = PolicyYaml.load("dry-run.yaml");
    String peer = (String) file.get("peer");
    return PolicyYaml.list(file.get("cases")).stream()
        .map(PolicyYaml::map)
        .map(row -> Arguments.of(row.toString(), peer, row));
  }

  @ParameterizedTest(name = "B102 {0}")
  @MethodSource("dryRunCases")
  void dryRunCases(String text, String peer, Map<String, Object> row) {
    List<AuthorizationPolicy> policies = new ArrayList<>();
    for (Object node : PolicyYaml.list(row.get("policies"))) {
      Map<String, Object> fields = PolicyYaml.map(node);
      policies.add(
          new AuthorizationPolicy(
              "pay",
              "p" + policies.size(),
              Scope.NAMESPACE,
              Action.valueOf(((String) fields.get("action")).toUpperCase(Locale.ROOT)),
              Boolean.TRUE.equals(fields.get("dryRun")),
              List.of(rule(PolicyYaml.match(fields)))));
    }

    Verdict verdict = evaluate(tlsFrom(peer), policies.toArray(AuthorizationPolicy[]::new));

    assertThat(verdict.isAllowed()).as(text).isEqualTo(row.get("allowed"));
    String log = (String) row.get("log");
    if (log != null) {
      assertThat(verdict.dryRunNotes()).as(text).containsExactly(log);
    }
  }

  @Test
  @DisplayName("B102 dry runs beside a real policy that allows change nothing and are reported")
  void dryRunBesideAllow() {
    Verdict verdict =
        evaluate(
            tls(),
            ALLOW_WEB,
            dryRunDeny("p2", rule(ports(in(8080)))),
            dryRunAllow("p3", rule(ports(in(1)))));

    assertThat(verdict)
        .isEqualTo(new Verdict.Allowed("pay/web", List.of("dry-run: would be denied by pay/p2")));
  }

  @Test
  @DisplayName("B105 port and source are those of the request, not of the tunnel's port 15008")
  void finalTarget() {
    AuthorizationPolicy policy =
        allow("p", rule(clause(ports(in(8080))), clause(sources(in(Cidr.parse("10.0.1.7"))))));
    SpiffeId web = Policies.WEB;

    assertThat(
            evaluate(new ConnectionAttributes(ip("10.0.1.7"), web, ip("10.0.0.5"), 8080), policy)
                .isAllowed())
        .isTrue();
    assertThat(
            evaluate(new ConnectionAttributes(ip("10.0.1.7"), web, ip("10.0.0.5"), 15008), policy)
                .isAllowed())
        .isFalse();
    assertThat(
            evaluate(new ConnectionAttributes(ip("10.0.1.8"), web, ip("10.0.0.5"), 8080), policy)
                .isAllowed())
        .isFalse();
  }

  @Test
  @DisplayName("B105 through a waypoint the principal is the waypoint's")
  void waypointPrincipal() {
    ConnectionAttributes viaWaypoint = tlsFrom("spiffe://mesh.test/ns/shop/sa/waypoint");

    assertThat(evaluate(viaWaypoint, ALLOW_WEB).isAllowed()).isFalse();
    assertThat(evaluate(viaWaypoint, DENY_WEB).isAllowed()).isTrue();
  }
}
