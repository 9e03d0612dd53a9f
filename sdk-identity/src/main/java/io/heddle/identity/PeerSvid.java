// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * The verified identity of the peer of one connection.
 *
 * @param id who the peer is
 * @param chain the certificates it presented, leaf first
 * @param notAfter when the leaf expires
 */
public record PeerSvid(SpiffeId id, List<X509Certificate> chain, Instant notAfter) {

  /**
   * The verified identity of a peer.
   *
   * @param id who the peer is
   * @param chain the certificates it presented, leaf first; copied
   * @param notAfter when the leaf expires
   */
  public PeerSvid {
    chain = List.copyOf(chain);
  }

  /** The id and the expiry; certificates are left out because logs do not want them. */
  @Override
  public String toString() {
    return "PeerSvid[" + id + ", until " + notAfter + "]";
  }
}
