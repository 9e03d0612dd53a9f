// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.internal.text.Printable;
import java.security.cert.X509Certificate;

/** The rules for certificates above the leaf (X509-SVID standard, section 4). */
final class SigningRules {

  private SigningRules() {}

  /**
   * Checks an intermediate: it must say that it is an authority and that it signs certificates.
   * PKIX lets one without key usage pass.
   */
  static void checkIntermediate(X509Certificate certificate) throws PeerRejectedException {
    String what = intermediate(certificate);
    checkAuthority(certificate, what);
    if (certificate.getKeyUsage() == null) {
      throw refused(what + " has no key usage (expected: keyCertSign)");
    }
    KeyStrength.check(certificate, what);
  }

  /**
   * Checks a trust anchor: it must be an authority. A key usage may be missing, because roots made
   * by hand often lack it and an anchor is believed for other reasons than what it says of itself;
   * one that is there counts.
   */
  static void checkAnchor(X509Certificate certificate) throws PeerRejectedException {
    String what = anchor(certificate);
    checkAuthority(certificate, what);
    KeyStrength.checkKey(certificate, what);
  }

  private static void checkAuthority(X509Certificate certificate, String what)
      throws PeerRejectedException {
    if (certificate.getBasicConstraints() < 0) {
      throw refused(what + " is not the certificate of an authority (basic constraints)");
    }
    boolean[] usage = certificate.getKeyUsage();
    if (usage != null && !usage[LeafRules.KEY_CERT_SIGN]) {
      throw refused(what + " may not sign certificates (key usage lacks keyCertSign)");
    }
  }

  static boolean isIntermediate(X509Certificate certificate) {
    try {
      checkIntermediate(certificate);
      return true;
    } catch (PeerRejectedException e) {
      return false;
    }
  }

  static boolean isAnchor(X509Certificate certificate) {
    try {
      checkAnchor(certificate);
      return true;
    } catch (PeerRejectedException e) {
      return false;
    }
  }

  /** How messages name an intermediate. */
  static String intermediate(X509Certificate certificate) {
    return "intermediate '" + subject(certificate) + "'";
  }

  /** How messages name an anchor. */
  static String anchor(X509Certificate certificate) {
    return "trust anchor '" + subject(certificate) + "'";
  }

  private static String subject(X509Certificate certificate) {
    return Printable.escape(certificate.getSubjectX500Principal().getName());
  }

  private static PeerRejectedException refused(String detail) {
    return new PeerRejectedException(PeerRejection.SIGNING_USAGE, null, detail, null);
  }
}
