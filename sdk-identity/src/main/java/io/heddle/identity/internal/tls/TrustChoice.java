// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/** Says what the peer of a connection is held to. */
@FunctionalInterface
interface TrustChoice {

  /**
   * The terms for one connection.
   *
   * @param connection the engine or socket that shakes hands; null if the caller does not say
   * @return the terms
   * @throws CertificateException if nothing is known about this connection, which refuses the peer
   */
  PeerTerms terms(@Nullable Object connection) throws CertificateException;
}
