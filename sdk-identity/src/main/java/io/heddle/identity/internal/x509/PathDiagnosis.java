// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.internal.text.Printable;
import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXReason;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says why no path was found. The JDK's builder only says that there is none; this follows the
 * issuer names upwards as an operator would, and names the first certificate that is in the way.
 */
final class PathDiagnosis {

  // Each costs a millisecond or two, and a stranger chooses how many seem worth trying.
  private static final int MAX_SIGNATURES = 16;

  private final SpiffeId id;
  private final X509Certificate leaf;
  private final Collection<X509Certificate> presented;
  private final Collection<X509Certificate> anchors;
  private final Validity validity;
  private int signatures;

  PathDiagnosis(
      SpiffeId id,
      X509Certificate leaf,
      Collection<X509Certificate> presented,
      Collection<X509Certificate> anchors,
      Validity validity) {
    this.id = id;
    this.leaf = leaf;
    this.presented = presented;
    this.anchors = anchors;
    this.validity = validity;
  }

  /** The reason, ready to be thrown. */
  PeerRejectedException explain() {
    try {
      return follow();
    } catch (PeerRejectedException found) {
      return new PeerRejectedException(found.reason(), id, found.detail(), found.getCause());
    }
  }

  private PeerRejectedException follow() throws PeerRejectedException {
    List<X509Certificate> path = new ArrayList<>(List.of(leaf));
    while (path.size() <= LeafRules.MAX_CHAIN) {
      X509Certificate current = path.get(path.size() - 1);
      Optional<X509Certificate> anchor = issuer(current, anchors, path);
      if (anchor.isPresent()) {
        checkAnchor(anchor.get());
        return judge(path, anchor.get());
      }
      Optional<X509Certificate> next = issuer(current, presented, path);
      if (next.isEmpty()) {
        return noIssuer(current, path);
      }
      validity.check(next.get(), null, SigningRules.intermediate(next.get()));
      SigningRules.checkIntermediate(next.get());
      path.add(next.get());
    }
    return refused(PeerRejection.NO_PATH, "the certificates lead nowhere", null);
  }

  private void checkAnchor(X509Certificate anchor) throws PeerRejectedException {
    String what = SigningRules.anchor(anchor);
    if (validity.hasEnded(anchor)) {
      throw refused(
          PeerRejection.ANCHOR_EXPIRED,
          what + " expired at " + anchor.getNotAfter().toInstant() + ", now is " + validity.now(),
          null);
    }
    validity.check(anchor, null, what);
    SigningRules.checkAnchor(anchor);
  }

  private Optional<X509Certificate> issuer(
      X509Certificate subject, Collection<X509Certificate> from, List<X509Certificate> path) {
    return from.stream()
        .filter(candidate -> isNamedAsIssuer(candidate, subject))
        .filter(candidate -> from == anchors || !path.contains(candidate))
        .filter(candidate -> verifies(candidate, subject))
        .findFirst();
  }

  private static boolean isNamedAsIssuer(X509Certificate candidate, X509Certificate subject) {
    return candidate.getSubjectX500Principal().equals(subject.getIssuerX500Principal());
  }

  private boolean verifies(X509Certificate issuer, X509Certificate subject) {
    if (++signatures > MAX_SIGNATURES) {
      return false;
    }
    try {
      subject.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private PeerRejectedException noIssuer(X509Certificate subject, List<X509Certificate> path) {
    String what = path.size() == 1 ? "the leaf" : SigningRules.intermediate(subject);
    String issuer = Printable.escape(subject.getIssuerX500Principal().getName());
    boolean named =
        anchors.stream().anyMatch(found -> isNamedAsIssuer(found, subject))
            || presented.stream()
                .anyMatch(found -> !path.contains(found) && isNamedAsIssuer(found, subject));
    String found =
        named
            ? " is there, but its key did not make the signature"
            : " is neither presented nor a trust anchor of " + id.trustDomain();
    return refused(PeerRejection.NO_PATH, "the issuer '" + issuer + "' of " + what + found, null);
  }

  /** The path is complete and each certificate good in itself: PKIX says what is wrong with it. */
  private PeerRejectedException judge(List<X509Certificate> path, X509Certificate anchor) {
    try {
      PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(anchor, null)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(TrustPath.latestStart(path, validity.now())));
      CertPath ordered = CertificateFactory.getInstance("X.509").generateCertPath(path);
      CertPathValidator.getInstance("PKIX").validate(ordered, parameters);
      return refused(PeerRejection.INVALID_PATH, "no path to a trust anchor was accepted", null);
    } catch (CertPathValidatorException e) {
      return refused(reason(e), detail(path, e), e);
    } catch (GeneralSecurityException e) {
      return refused(PeerRejection.INVALID_PATH, "the path cannot be checked", e);
    }
  }

  private static PeerRejection reason(CertPathValidatorException e) {
    if (e.getReason() instanceof PKIXReason reason) {
      return switch (reason) {
        case PATH_TOO_LONG -> PeerRejection.PATH_LENGTH;
        case INVALID_NAME -> PeerRejection.NAME_CONSTRAINTS;
        case UNRECOGNIZED_CRIT_EXT -> PeerRejection.CRITICAL_EXTENSION;
        case NOT_CA_CERT, INVALID_KEY_USAGE -> PeerRejection.SIGNING_USAGE;
        default -> PeerRejection.INVALID_PATH;
      };
    }
    return PeerRejection.INVALID_PATH;
  }

  private static String detail(List<X509Certificate> path, CertPathValidatorException e) {
    String where = "";
    if (e.getIndex() == 0) {
      where = "the leaf: ";
    } else if (e.getIndex() > 0) {
      where = SigningRules.intermediate(path.get(e.getIndex())) + ": ";
    }
    return where + Printable.escape(String.valueOf(e.getMessage()));
  }

  private PeerRejectedException refused(
      PeerRejection reason, String detail, @Nullable Throwable cause) {
    return new PeerRejectedException(reason, id, detail, cause);
  }
}
