// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.Scope;
import io.heddle.internal.proto.security.Address;
import io.heddle.internal.proto.security.Authorization;
import io.heddle.internal.proto.security.Clause;
import io.heddle.internal.proto.security.Match;
import io.heddle.internal.proto.security.Rule;
import io.heddle.internal.proto.xds.DeltaDiscoveryRequest;
import io.heddle.testing.Eventually;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a response does to the policies. */
class PolicyResponseTest extends AdsFixture {

  private ScriptedControlPlane.Stream stream;

  @BeforeEach
  void openStream() {
    stream = openSynced();
  }

  private Map<String, AuthorizationPolicy> policies() {
    return known().policies().policies();
  }

  private static Authorization.Builder broken() {
    Address.Builder tooLong =
        Address.newBuilder().setAddress(Responses.bytes("10.0.0.0")).setLength(40);
    return Responses.policy("p")
        .addRules(
            Rule.newBuilder()
                .addClauses(
                    Clause.newBuilder().addMatches(Match.newBuilder().addSourceIps(tooLong))));
  }

  @Test
  @DisplayName("CP-48 policies are added, changed and removed by name, the others stay")
  void byName() {
    exchange(
        stream,
        Responses.policies(
            Responses.resource(Responses.policy("p")), Responses.resource(Responses.policy("q"))));
    exchange(stream, Responses.policies(Responses.resource(Responses.policy("q").setDryRun(true))));
    exchange(stream, Responses.removal(ResourceType.AUTHORIZATION, "shop/p", "shop/never-seen"));

    assertThat(policies()).containsOnlyKeys("shop/q");
    assertThat(policies().get("shop/q").dryRun()).isTrue();
  }

  @Test
  @DisplayName("CP-49 the policy of a strict PeerAuthentication arrives, and a pod refers to it")
  void strictPeerAuthentication() {
    String name = "istio_converted_static_strict";
    exchange(
        stream,
        Responses.policies(
            Responses.resource(
                Responses.policy(name)
                    .setScope(io.heddle.internal.proto.security.Scope.WORKLOAD_SELECTOR))));
    exchange(
        stream,
        Responses.addresses(
            Responses.resource(
                Responses.pod("a", "10.0.0.5").addAuthorizationPolicies("shop/" + name), "1")));

    assertThat(policies().get("shop/" + name).scope()).isEqualTo(Scope.WORKLOAD_SELECTOR);
    assertThat(known().workload(Responses.uid("a")).authorizationPolicies())
        .containsExactly("shop/" + name);
  }

  @Test
  @DisplayName("B078 a broken update of a policy leaves the good one in force, and v3 heals it")
  void goodVersionStays() {
    exchange(stream, Responses.policies(Responses.resource(Responses.policy("p"))));

    DeltaDiscoveryRequest answer =
        exchange(stream, Responses.policies(Responses.resource(broken())));

    assertThat(answer.getErrorDetail().getMessage()).startsWith("shop/p: ").contains("40");
    assertThat(policies().get("shop/p").defect()).isNull();
    Eventually.holds(
        "the rejected policy is shown",
        () ->
            client
                .status()
                .types()
                .get(ResourceType.AUTHORIZATION)
                .rejected()
                .containsKey("shop/p"));

    exchange(stream, Responses.policies(Responses.resource(Responses.policy("p").setDryRun(true))));
    assertThat(policies().get("shop/p").dryRun()).isTrue();
  }

  @Test
  @DisplayName("B078 a policy whose very first version is broken refuses what it applies to")
  void firstVersionBroken() {
    DeltaDiscoveryRequest answer =
        exchange(stream, Responses.policies(Responses.resource(broken())));

    assertThat(answer.hasErrorDetail()).isTrue();
    assertThat(policies().get("shop/p").defect()).contains("prefix length 40");
    assertThat(policies().get("shop/p").rules()).hasSize(1);
    assertThat(policies().get("shop/p").rules().get(0).clauses()).as("matches all").isEmpty();
  }

  @Test
  @DisplayName("a policy that is garbage refuses its namespace until it can be read or is removed")
  void garbagePolicy() {
    exchange(stream, Responses.policies(Responses.garbage("shop/p", ResourceType.AUTHORIZATION)));
    assertThat(policies().get("shop/p").scope()).isEqualTo(Scope.NAMESPACE);
    assertThat(policies().get("shop/p").namespace()).isEqualTo("shop");
    assertThat(policies().get("shop/p").defect()).contains("not an Authorization");

    exchange(stream, Responses.removal(ResourceType.AUTHORIZATION, "shop/p"));
    assertThat(policies()).isEmpty();
  }

  @Test
  @DisplayName(
      "B095 a policy that changes its scope and so its name leaves nothing under the old one")
  void scopeChangesName() {
    exchange(stream, Responses.policies(Responses.resource(Responses.policy("p"))));

    exchange(
        stream,
        Responses.response(
                ResourceType.AUTHORIZATION,
                Responses.resource(
                    Responses.policy("p")
                        .setNamespace("")
                        .setScope(io.heddle.internal.proto.security.Scope.GLOBAL)))
            .addRemovedResources("shop/p")
            .build());

    assertThat(policies()).containsOnlyKeys("/p");
    assertThat(policies().get("/p").scope()).isEqualTo(Scope.GLOBAL);
  }
}
