// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.heddle.internal.proto.security.Rule;
import io.heddle.testing.Eventually;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReadinessTest extends AdsFixture {

  @Test
  @DisplayName("CP-01 ready only when both first answers were acknowledged")
  void blockedUntilBothAreAcknowledged() {
    Opening opening = open();

    exchange(opening.stream(), Responses.addresses());
    assertThat(client.status().types().get(ResourceType.AUTHORIZATION).acknowledged()).isFalse();
    assertThat(client.ready()).isNotDone();

    exchange(opening.stream(), Responses.policies());
    assertThat(client.ready()).succeedsWithin(10, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("XDS-01 policies alone make nobody ready either")
  void policiesAloneAreNotEnough() {
    Opening opening = open();

    exchange(opening.stream(), Responses.policies());
    // A second exchange, so that what the first one leads to has happened.
    exchange(opening.stream(), Responses.policies());

    assertThat(client.ready()).isNotDone();
  }

  @Test
  @DisplayName("B071 not ready, and nothing admitted, until the policies have come; empty counts")
  void readyWaitsForPolicies() {
    Opening opening = open();
    exchange(
        opening.stream(),
        Responses.addresses(Responses.resource(Responses.pod("a", "10.0.0.5"), "1")));

    assertThat(client.ready()).isNotDone();
    exchange(opening.stream(), Responses.policies());

    assertThat(client.ready()).succeedsWithin(10, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("B071 a control plane that is never reached makes nobody ready")
  void neverReadyWithoutControlPlane() throws InterruptedException {
    server.close();
    client.start();

    Eventually.holds("the client says why", () -> client.status().lastError() != null);

    assertThat(client.ready()).isNotDone();
    assertThat(client.status().lastError()).contains("UNAVAILABLE").contains("check the address");
  }

  @Test
  @DisplayName("an answer that had to be rejected in part does not count, the next good one does")
  void rejectedAnswerDoesNotCount() {
    Opening opening = open();
    exchange(opening.stream(), Responses.addresses());
    exchange(
        opening.stream(),
        Responses.policies(Responses.garbage("shop/p", ResourceType.AUTHORIZATION)));
    assertThat(client.ready()).isNotDone();

    exchange(
        opening.stream(),
        Responses.policies(
            Responses.resource(Responses.policy("p").addRules(Rule.getDefaultInstance()))));

    assertThat(client.ready()).succeedsWithin(10, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("readiness is never taken back")
  void staysReadyWhenTheControlPlaneGoes() throws InterruptedException {
    openSynced().end(Status.UNAVAILABLE);
    server.close();
    Eventually.holds("a failed attempt", () -> client.status().attempts() > 2);

    assertThat(client.ready()).isCompleted();
  }

  @Test
  @DisplayName("whoever waits for a client that is closed is told")
  void closedWhileWaiting() {
    open();

    client.close();

    assertThatThrownBy(() -> client.ready().join())
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("closed");
  }
}
