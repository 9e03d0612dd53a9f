// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import static io.heddle.internal.policy.Policies.WEB;
import static io.heddle.internal.policy.Policies.deny;
import static io.heddle.internal.policy.Policies.evaluate;
import static io.heddle.internal.policy.Policies.in;
import static io.heddle.internal.policy.Policies.notIn;
import static io.heddle.internal.policy.Policies.ports;
import static io.heddle.internal.policy.Policies.presence;
import static io.heddle.internal.policy.Policies.principals;
import static io.heddle.internal.policy.Policies.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.SpiffeId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PeerAuthentication as the control plane writes it down for layer 4 (HBONE reference 3.6). */
class StrictModeTest {

  private static final AuthorizationPolicy STRICT =
      deny("istio_converted_static_strict", rule(principals(notIn(presence()))));
  private static final AuthorizationPolicy STRICT_BUT_9090 =
      deny(
          "converted_peer_authentication_db",
          rule(
              Policies.clause(principals(notIn(presence()))), Policies.clause(ports(notIn(9090)))));
  private static final AuthorizationPolicy ONLY_9090_STRICT =
      deny(
          "converted_peer_authentication_db",
          rule(Policies.clause(principals(notIn(presence()))), Policies.clause(ports(in(9090)))));

  private static boolean isAllowed(@Nullable SpiffeId peer, int port, AuthorizationPolicy... all) {
    ConnectionAttributes connection =
        new ConnectionAttributes(Policies.ip("10.0.0.1"), peer, Policies.ip("10.0.0.2"), port);
    return evaluate(connection, all) instanceof Verdict.Allowed;
  }

  @ParameterizedTest(name = "IT-04 {0}: plain text to port {1} is allowed: {2}, and tunnels always")
  @CsvSource({
    "permissive, 8080, true",
    "strict, 8080, false",
    "strict except 9090, 8080, false",
    "strict except 9090, 9090, true",
    "permissive except 9090, 8080, true",
    "permissive except 9090, 9090, false"
  })
  void strictness(String mode, int port, boolean plainTextAllowed) {
    AuthorizationPolicy[] policies =
        switch (mode) {
          case "permissive" -> new AuthorizationPolicy[0];
          case "strict" -> new AuthorizationPolicy[] {STRICT};
          case "strict except 9090" -> new AuthorizationPolicy[] {STRICT_BUT_9090};
          default -> new AuthorizationPolicy[] {ONLY_9090_STRICT};
        };

    assertThat(isAllowed(null, port, policies)).isEqualTo(plainTextAllowed);
    assertThat(isAllowed(WEB, port, policies)).isTrue();
  }
}
