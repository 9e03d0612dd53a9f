// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A path from a leaf to a trust anchor that obeys RFC 5280 and our own rules.
 *
 * @param certificates the leaf first, the anchor last
 */
record TrustPath(List<X509Certificate> certificates) {

  /**
   * Looks for a path. A builder, not a validator: peers send their chains out of order, with
   * certificates that do not belong to it, or with an intermediate that is an anchor here; none of
   * that makes the leaf less true. What must not be part of a path is taken away beforehand: PKIX
   * itself accepts expired anchors, weak keys and intermediates without key usage.
   */
  static Optional<TrustPath> find(
      X509Certificate leaf,
      Collection<X509Certificate> presented,
      Collection<X509Certificate> anchors,
      Validity validity) {
    Set<TrustAnchor> usable =
        anchors.stream()
            .filter(anchor -> validity.covers(anchor) && SigningRules.isAnchor(anchor))
            .map(anchor -> new TrustAnchor(anchor, null))
            .collect(Collectors.toSet());
    if (usable.isEmpty()) {
      return Optional.empty();
    }
    List<X509Certificate> store = new ArrayList<>();
    store.add(leaf);
    presented.stream()
        .filter(found -> validity.covers(found) && SigningRules.isIntermediate(found))
        .forEach(store::add);
    try {
      CertPathBuilder builder = CertPathBuilder.getInstance("PKIX");
      return Optional.of(
          of((PKIXCertPathBuilderResult) builder.build(parameters(leaf, store, usable, validity))));
    } catch (CertPathBuilderException e) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no PKIX path builder", e);
    }
  }

  private static PKIXBuilderParameters parameters(
      X509Certificate leaf,
      List<X509Certificate> store,
      Set<TrustAnchor> anchors,
      Validity validity)
      throws GeneralSecurityException {
    X509CertSelector target = new X509CertSelector();
    target.setCertificate(leaf);
    PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
    parameters.addCertStore(
        CertStore.getInstance("Collection", new CollectionCertStoreParameters(store)));
    // Mesh certificates live for hours and name no revocation service.
    parameters.setRevocationEnabled(false);
    parameters.setMaxPathLength(LeafRules.MAX_CHAIN);
    parameters.setDate(Date.from(latestStart(store, validity.now())));
    return parameters;
  }

  /** PKIX knows no tolerance, so it judges at the moment when the last tolerated one has begun. */
  static Instant latestStart(Collection<X509Certificate> certificates, Instant now) {
    return certificates.stream()
        .map(certificate -> certificate.getNotBefore().toInstant())
        .filter(now::isBefore)
        .max(Instant::compareTo)
        .orElse(now);
  }

  private static TrustPath of(PKIXCertPathBuilderResult result) {
    List<X509Certificate> path = new ArrayList<>();
    for (Certificate certificate : result.getCertPath().getCertificates()) {
      path.add((X509Certificate) certificate);
    }
    path.add(result.getTrustAnchor().getTrustedCert());
    return new TrustPath(List.copyOf(path));
  }

  /** When the last certificate of the path begins. */
  Instant notBefore() {
    return certificates.stream()
        .map(certificate -> certificate.getNotBefore().toInstant())
        .max(Instant::compareTo)
        .orElseThrow();
  }

  /** When the first certificate of the path ends. */
  Instant notAfter() {
    return certificates.stream()
        .map(certificate -> certificate.getNotAfter().toInstant())
        .min(Instant::compareTo)
        .orElseThrow();
  }
}
