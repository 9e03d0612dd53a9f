// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.SpiffeId;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The moment that certificates are judged at, with the tolerance for clocks that differ.
 *
 * @param now our time
 * @param tolerance how far ahead the start of a certificate may lie, exclusive
 */
record Validity(Instant now, Duration tolerance) {

  boolean hasEnded(X509Certificate certificate) {
    return now.isAfter(certificate.getNotAfter().toInstant());
  }

  boolean hasBegun(X509Certificate certificate) {
    return hasBegun(certificate.getNotBefore().toInstant());
  }

  boolean hasBegun(Instant notBefore) {
    Duration ahead = Duration.between(now.truncatedTo(ChronoUnit.SECONDS), notBefore);
    return !now.isBefore(notBefore) || ahead.compareTo(tolerance) < 0;
  }

  boolean covers(X509Certificate certificate) {
    return hasBegun(certificate) && !hasEnded(certificate);
  }

  /** Refuses a certificate of the peer's chain that is out of its time. */
  void check(X509Certificate certificate, @Nullable SpiffeId id, String what)
      throws PeerRejectedException {
    if (hasEnded(certificate)) {
      Instant end = certificate.getNotAfter().toInstant();
      throw new PeerRejectedException(
          PeerRejection.EXPIRED, id, what + " expired at " + end + ", now is " + now, null);
    }
    if (!hasBegun(certificate)) {
      Instant start = certificate.getNotBefore().toInstant();
      throw new PeerRejectedException(
          PeerRejection.NOT_YET_VALID,
          id,
          what
              + " is valid from "
              + start
              + ", now is "
              + now
              + "; check the clocks: ours may be behind by "
              + Duration.between(now, start).toSeconds()
              + " s, or that of the issuer ahead",
          null);
    }
  }
}
