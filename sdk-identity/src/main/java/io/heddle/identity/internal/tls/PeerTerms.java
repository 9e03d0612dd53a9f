// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.internal.x509.PeerRole;
import io.heddle.identity.internal.x509.PeerValidator;
import java.security.cert.Certificate;

/**
 * What a peer is held to.
 *
 * @param bundles the anchors of every trust domain that can be verified
 * @param authorizer whom to accept among the verified
 */
public record PeerTerms(TrustBundles bundles, PeerAuthorizer authorizer) {

  /**
   * The whole judgement of a peer: its chain by the bundle of its own trust domain, then its id. It
   * is passed twice for each handshake, in the trust manager and when the handshake has completed;
   * the validator remembers the chain, so the second time costs microseconds.
   *
   * @param certificates what the peer presented, leaf first
   * @param role the part it plays
   * @param validator validates chains
   * @return who it is
   * @throws PeerRejectedException if it is not accepted
   */
  public PeerSvid judge(Certificate[] certificates, PeerRole role, PeerValidator validator)
      throws PeerRejectedException {
    PeerSvid peer = validator.validate(certificates, bundles, role);
    PeerValidator.authorize(peer, authorizer);
    return peer;
  }
}
