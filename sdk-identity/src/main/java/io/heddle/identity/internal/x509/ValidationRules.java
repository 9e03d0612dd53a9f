// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import java.time.Duration;

/**
 * What a validator lets pass.
 *
 * <p>Clocks: a certificate may begin less than {@code clockTolerance} after our now, because the
 * issuer's clock may be ahead of ours. The comparison counts whole seconds, as certificates do, and
 * the tolerance itself is excluded: with 60 s a certificate that begins 59 s from now passes, one
 * that begins 60 s from now does not. Ends have no tolerance.
 *
 * @param clockTolerance how far ahead the start of a certificate may lie, exclusive
 * @param purposes which extended key usages a leaf must have, if it has any
 */
public record ValidationRules(Duration clockTolerance, Purposes purposes) {

  /** How the extended key usage of a leaf is read. */
  public enum Purposes {
    /** It must cover the role that the peer plays: what Web PKI certificates are held to. */
    OF_THE_ROLE,
    /** It must cover both roles, as the X509-SVID standard asks of an SVID. */
    BOTH
  }

  /** 60 seconds, and the purpose of the role. */
  public static ValidationRules defaults() {
    return new ValidationRules(Duration.ofSeconds(60), Purposes.OF_THE_ROLE);
  }
}
