// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.PeerAuthorizer;
import javax.net.ssl.SSLEngine;

/**
 * What one handshake uses from its first byte to its last, whatever is rotated meanwhile.
 *
 * @param engine the engine that shakes hands
 * @param alias the name of this handshake's SVID, never given to another one
 * @param snapshot the identity at the handshake's start
 * @param authorizer whom to accept at the other end
 */
public record HandshakePin(
    SSLEngine engine, String alias, IdentitySnapshot snapshot, PeerAuthorizer authorizer) {

  /**
   * What the peer is held to.
   *
   * @return the bundles of the pinned snapshot, and the rule
   */
  public PeerTerms terms() {
    return new PeerTerms(snapshot.bundles(), authorizer);
  }
}
