// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import io.heddle.identity.SpiffeId;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;

/** HBONE reference 5.1 and 5.2 written down as they stand, to compare the compiled form with. */
final class NaivePolicies {

  private NaivePolicies() {}

  static boolean allows(List<AuthorizationPolicy> policies, ConnectionAttributes connection) {
    List<AuthorizationPolicy> enforced = policies.stream().filter(p -> !p.dryRun()).toList();
    if (enforced.stream().anyMatch(p -> p.action() == Action.DENY && matches(p, connection))) {
      return false;
    }
    return enforced.stream().noneMatch(p -> p.action() == Action.ALLOW)
        || enforced.stream().anyMatch(p -> p.action() == Action.ALLOW && matches(p, connection));
  }

  private static boolean matches(AuthorizationPolicy policy, ConnectionAttributes connection) {
    return policy.rules().stream()
        .anyMatch(rule -> rule.clauses().stream().allMatch(clause -> matches(clause, connection)));
  }

  private static boolean matches(Clause clause, ConnectionAttributes connection) {
    return clause.matches().isEmpty()
        || clause.matches().stream()
            .anyMatch(match -> !match.isEmpty() && matches(match, connection));
  }

  private static boolean matches(Match match, ConnectionAttributes connection) {
    SpiffeId peer = connection.peer();
    String namespace = peer == null ? "" : peer.namespace().orElse("");
    return holds(match.namespaces(), value -> value.matches(namespace))
        && holds(
            match.serviceAccounts(),
            value ->
                peer != null
                    && peer.path()
                        .equals("/ns/" + value.namespace() + "/sa/" + value.serviceAccount()))
        && holds(
            match.principals(),
            value -> peer != null && value.matches(peer.toString().replaceFirst("^spiffe://", "")))
        && holds(
            match.sourceIps(),
            value -> inside(value.network(), value.prefixLength(), connection.source()))
        && holds(
            match.destinationIps(),
            value -> inside(value.network(), value.prefixLength(), connection.destination()))
        && holds(match.destinationPorts(), value -> value == connection.destinationPort());
  }

  private static <T> boolean holds(Condition<T> condition, Predicate<T> hit) {
    return (condition.anyOf().isEmpty() || condition.anyOf().stream().anyMatch(hit))
        && condition.noneOf().stream().noneMatch(hit);
  }

  private static boolean inside(InetAddress network, int length, InetAddress address) {
    byte[] a = network.getAddress();
    byte[] b = address.getAddress();
    int hostBits = a.length * 8 - length;
    return a.length == b.length
        && new BigInteger(1, a)
            .shiftRight(hostBits)
            .equals(new BigInteger(1, b).shiftRight(hostBits));
  }
}
