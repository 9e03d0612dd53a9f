// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import io.heddle.internal.net.Cidr;
import java.util.stream.Stream;

/**
 * The innermost part of a policy: holds when every condition holds. A match without any condition
 * is left out of its clause, it never holds.
 *
 * @param namespaces the namespace of the peer's identity, empty for plain text
 * @param serviceAccounts the namespace and service account of the peer's identity
 * @param principals the peer's identity without {@code spiffe://}
 * @param sourceIps the address at the far end of the TCP connection
 * @param destinationIps the address of the final target
 * @param destinationPorts the port of the final target
 */
public record Match(
    Condition<StringMatch> namespaces,
    Condition<ServiceAccountMatch> serviceAccounts,
    Condition<StringMatch> principals,
    Condition<Cidr> sourceIps,
    Condition<Cidr> destinationIps,
    Condition<Integer> destinationPorts) {

  /** A match without conditions, to start from. */
  public static Match empty() {
    return new Match(
        Condition.unset(),
        Condition.unset(),
        Condition.unset(),
        Condition.unset(),
        Condition.unset(),
        Condition.unset());
  }

  /** Whether it has no condition. */
  public boolean isEmpty() {
    return Stream.of(
            namespaces, serviceAccounts, principals, sourceIps, destinationIps, destinationPorts)
        .allMatch(Condition::isUnset);
  }
}
