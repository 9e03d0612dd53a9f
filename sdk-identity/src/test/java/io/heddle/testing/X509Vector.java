// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.heddle.identity.PeerRejection;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.internal.x509.PeerRole;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * A chain, and what has to be said about it.
 *
 * @param name the row of the table it stands for
 * @param chain what the peer presents
 * @param privateKey the key of the leaf, for presenting it in a real handshake
 * @param bundles what the verifying side trusts
 * @param role the part that the peer plays
 * @param rejection why it is refused; empty if it is accepted
 */
public record X509Vector(
    String name,
    List<X509Certificate> chain,
    PrivateKey privateKey,
    TrustBundles bundles,
    PeerRole role,
    Optional<PeerRejection> rejection) {

  /** The name, for the display name of a parameterised test. */
  @Override
  public String toString() {
    return name + " -> " + rejection.map(Enum::name).orElse("accepted");
  }
}
