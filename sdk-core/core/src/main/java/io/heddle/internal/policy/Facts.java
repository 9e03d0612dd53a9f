// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import io.heddle.identity.SpiffeId;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection's attributes in the form in which conditions compare them.
 *
 * @param principal the peer's identity without its scheme, or null for plain text
 * @param namespace the namespace in the identity, empty when there is none
 * @param account the service account in the identity, or null when there is none
 */
record Facts(
    InetAddress source,
    InetAddress destination,
    int destinationPort,
    @Nullable String principal,
    String namespace,
    @Nullable ServiceAccountMatch account) {

  private static final String SCHEME = "spiffe://";

  static Facts of(ConnectionAttributes attributes) {
    SpiffeId peer = attributes.peer();
    String principal = peer == null ? null : peer.toString().substring(SCHEME.length());
    String namespace = peer == null ? "" : peer.namespace().orElse("");
    ServiceAccountMatch account =
        peer == null
            ? null
            : peer.serviceAccount()
                .map(name -> new ServiceAccountMatch(namespace, name))
                .orElse(null);
    return new Facts(
        attributes.source(),
        attributes.destination(),
        attributes.destinationPort(),
        principal,
        namespace,
        account);
  }
}
