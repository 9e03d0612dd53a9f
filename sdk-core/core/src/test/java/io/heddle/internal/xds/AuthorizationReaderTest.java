// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.UnknownFieldSet;
import io.heddle.internal.net.Cidr;
import io.heddle.internal.policy.Action;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.Clause;
import io.heddle.internal.policy.Condition;
import io.heddle.internal.policy.Rule;
import io.heddle.internal.policy.Scope;
import io.heddle.internal.policy.ServiceAccountMatch;
import io.heddle.internal.policy.StringMatch;
import io.heddle.internal.proto.security.Address;
import io.heddle.internal.proto.security.Authorization;
import io.heddle.internal.proto.security.Match;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AuthorizationReaderTest {

  private static io.heddle.internal.proto.security.StringMatch.Builder text() {
    return io.heddle.internal.proto.security.StringMatch.newBuilder();
  }

  private static Authorization.Builder with(Match.Builder match) {
    return Responses.policy("p")
        .addRules(
            io.heddle.internal.proto.security.Rule.newBuilder()
                .addClauses(
                    io.heddle.internal.proto.security.Clause.newBuilder().addMatches(match)));
  }

  private static void assertRefusesEverything(Authorization.Builder message, String defect) {
    AuthorizationPolicy policy = AuthorizationReader.read(message.build());
    assertThat(policy.defect()).contains(defect);
    assertThat(policy.rules())
        .isEqualTo(policy.action() == Action.DENY ? List.of(new Rule(List.of())) : List.of());
  }

  @Test
  @DisplayName("every condition is read, positive and negative")
  void everyCondition() {
    Match.Builder match =
        Match.newBuilder()
            .addNamespaces(text().setExact("a"))
            .addNotNamespaces(text().setPrefix("b"))
            .addPrincipals(text().setSuffix("/sa/c"))
            .addNotPrincipals(text().setPresence(Empty.getDefaultInstance()))
            .addSourceIps(address("10.0.0.0", 8))
            .addNotSourceIps(address("10.1.0.0", 16))
            .addDestinationIps(address("2001:db8::", 32))
            .addNotDestinationIps(address("2001:db8:1::", 48))
            .addDestinationPorts(80)
            .addNotDestinationPorts(443)
            .addServiceAccounts(account("ns", "sa"))
            .addNotServiceAccounts(account("ns", "other"));

    AuthorizationPolicy policy = AuthorizationReader.read(with(match).setDryRun(true).build());

    assertThat(policy.defect()).isNull();
    assertThat(policy.scope()).isEqualTo(Scope.NAMESPACE);
    assertThat(policy.action()).isEqualTo(Action.DENY);
    assertThat(policy.dryRun()).isTrue();
    assertThat(policy.rules())
        .containsExactly(
            new Rule(
                List.of(
                    new Clause(
                        List.of(
                            new io.heddle.internal.policy.Match(
                                condition(new StringMatch.Exact("a"), new StringMatch.Prefix("b")),
                                condition(
                                    new ServiceAccountMatch("ns", "sa"),
                                    new ServiceAccountMatch("ns", "other")),
                                condition(
                                    new StringMatch.Suffix("/sa/c"), new StringMatch.Presence()),
                                condition(Cidr.parse("10.0.0.0/8"), Cidr.parse("10.1.0.0/16")),
                                condition(
                                    Cidr.parse("2001:db8::/32"), Cidr.parse("2001:db8:1::/48")),
                                condition(80, 443)))))));
  }

  private static <T> Condition<T> condition(T positive, T negative) {
    return new Condition<>(List.of(positive), List.of(negative));
  }

  private static Address.Builder address(String ip, int length) {
    return Address.newBuilder().setAddress(Responses.bytes(ip)).setLength(length);
  }

  private static io.heddle.internal.proto.security.ServiceAccountMatch.Builder account(
      String namespace, String name) {
    return io.heddle.internal.proto.security.ServiceAccountMatch.newBuilder()
        .setNamespace(namespace)
        .setServiceAccount(name);
  }

  @Test
  @DisplayName("a prefix that is too long refuses, and says where it is")
  void prefixTooLong() {
    assertRefusesEverything(
        with(
            Match.newBuilder()
                .addDestinationIps(address("10.0.0.0", 8))
                .addSourceIps(address("10.0.0.0", 40))),
        "rules[0].clauses[0].matches[0].source_ips[0]: prefix length 40");
  }

  @Test
  @DisplayName("an ALLOW with a defect admits nothing")
  void brokenAllow() {
    assertRefusesEverything(
        with(Match.newBuilder().addDestinationPorts(70_000))
            .setAction(io.heddle.internal.proto.security.Action.ALLOW),
        "destination_ports[0]: port 70000");
  }

  @Test
  @DisplayName("an address of three bytes refuses")
  void addressOfThreeBytes() {
    assertRefusesEverything(
        with(
            Match.newBuilder()
                .addNotSourceIps(
                    Address.newBuilder().setAddress(ByteString.copyFrom(new byte[3])))),
        "not_source_ips[0]: an address of 3 bytes");
  }

  @Test
  @DisplayName("a comparison without a kind refuses")
  void comparisonWithoutKind() {
    assertRefusesEverything(
        with(Match.newBuilder().addPrincipals(text())), "principals[0]: a comparison of no kind");
  }

  @Test
  @DisplayName(
      "a condition of a kind that is not known yet refuses: ignoring it would widen an ALLOW")
  void conditionOfTheFuture() {
    Match.Builder match = Match.newBuilder().addDestinationPorts(80);
    match.setUnknownFields(future());

    assertRefusesEverything(with(match), "a condition of an unknown kind, field 99");
  }

  @Test
  @DisplayName("an unknown field of the policy itself is ignored")
  void policyOfTheFuture() {
    Authorization.Builder message = with(Match.newBuilder().addDestinationPorts(80));
    message.setUnknownFields(future());

    assertThat(AuthorizationReader.read(message.build()).defect()).isNull();
  }

  private static UnknownFieldSet future() {
    return UnknownFieldSet.newBuilder()
        .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
        .build();
  }

  @Test
  @DisplayName("an unknown action denies")
  void unknownAction() {
    assertRefusesEverything(Responses.policy("p").setActionValue(7), "action: unknown number 7");
  }

  @Test
  @DisplayName("an unknown scope covers the namespace, or the mesh if it has none")
  void unknownScope() {
    Authorization.Builder message = Responses.policy("p").setScopeValue(7);
    assertRefusesEverything(message, "scope: unknown number 7");

    assertThat(AuthorizationReader.read(message.build()).scope()).isEqualTo(Scope.NAMESPACE);
    assertThat(AuthorizationReader.read(message.setNamespace("").build()).scope())
        .isEqualTo(Scope.GLOBAL);
  }
}
