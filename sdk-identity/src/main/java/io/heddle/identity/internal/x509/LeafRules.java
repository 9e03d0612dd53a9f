// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.SpiffeId;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules that a leaf must obey on its own, before anybody asks who signed it (X509-SVID
 * standard, sections 2 to 4).
 *
 * <p>Stricter than the standard where looseness would hurt: weak keys and signatures are refused.
 * As loose as the field in one point: a key usage that is present but not marked critical passes.
 */
public final class LeafRules {

  /** The most certificates a chain may have, here and at peers. */
  public static final int MAX_CHAIN = 10;

  private static final int DIGITAL_SIGNATURE = 0;
  static final int KEY_CERT_SIGN = 5;
  private static final int CRL_SIGN = 6;

  static final String KEY_USAGE_OID = "2.5.29.15";

  private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final String ANY_PURPOSE = "2.5.29.37.0";

  private LeafRules() {}

  /**
   * Checks our own leaf, which may be good for one role only.
   *
   * @return the id it carries
   * @throws PeerRejectedException naming the first rule broken
   */
  public static SpiffeId check(X509Certificate leaf) throws PeerRejectedException {
    return check(
        leaf, purposes -> purposes.contains(SERVER_AUTH) || purposes.contains(CLIENT_AUTH));
  }

  /** Checks the leaf of a peer that acts in {@code role}. */
  static SpiffeId check(X509Certificate leaf, PeerRole role, ValidationRules.Purposes rule)
      throws PeerRejectedException {
    return check(
        leaf,
        rule == ValidationRules.Purposes.BOTH
            ? purposes -> purposes.contains(SERVER_AUTH) && purposes.contains(CLIENT_AUTH)
            : purposes -> purposes.contains(role == PeerRole.SERVER ? SERVER_AUTH : CLIENT_AUTH));
  }

  private static SpiffeId check(X509Certificate leaf, Predicate<List<String>> purposeRule)
      throws PeerRejectedException {
    if (leaf.getBasicConstraints() >= 0) {
      throw refused(PeerRejection.LEAF_IS_CA, "the leaf is the certificate of an authority");
    }
    checkKeyUsage(leaf.getKeyUsage());
    checkPurpose(leaf, purposeRule);
    KeyStrength.check(leaf, "the leaf");
    return idOf(leaf);
  }

  private static void checkKeyUsage(boolean @Nullable [] usage) throws PeerRejectedException {
    if (usage == null) {
      throw refused(PeerRejection.KEY_USAGE, "the leaf has no key usage extension");
    }
    if (usage[KEY_CERT_SIGN] || usage[CRL_SIGN]) {
      throw refused(
          PeerRejection.LEAF_SIGNING_USAGE,
          "the key usage of the leaf allows signing certificates or revocation lists");
    }
    if (!usage[DIGITAL_SIGNATURE]) {
      throw refused(PeerRejection.KEY_USAGE, "the key usage of the leaf lacks digitalSignature");
    }
  }

  private static void checkPurpose(X509Certificate leaf, Predicate<List<String>> rule)
      throws PeerRejectedException {
    List<String> purposes;
    try {
      purposes = leaf.getExtendedKeyUsage();
    } catch (CertificateParsingException e) {
      throw new PeerRejectedException(
          PeerRejection.PARSE, null, "the extended key usage of the leaf cannot be read", e);
    }
    if (purposes != null && !purposes.contains(ANY_PURPOSE) && !rule.test(purposes)) {
      throw refused(
          PeerRejection.EKU,
          "the extended key usage of the leaf, " + purposes + ", does not cover its role");
    }
  }

  private static SpiffeId idOf(X509Certificate leaf) throws PeerRejectedException {
    SpiffeId id = UriNames.onlyId(leaf);
    if (id.isTrustDomainId()) {
      throw new PeerRejectedException(
          PeerRejection.ROOT_PATH, id, "the id names a trust domain, not a workload", null);
    }
    return id;
  }

  private static PeerRejectedException refused(PeerRejection reason, String detail) {
    return new PeerRejectedException(reason, null, detail, null);
  }
}
