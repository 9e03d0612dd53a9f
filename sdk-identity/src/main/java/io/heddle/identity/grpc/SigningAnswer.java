// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentityException.NotIssued;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.X509Svid;
import io.heddle.identity.internal.pem.IssuedChain;
import io.heddle.identity.internal.pem.PemException;
import io.heddle.identity.internal.rotation.RenewalLoop.Issued;
import io.heddle.identity.internal.x509.PeerRole;
import io.heddle.identity.internal.x509.PeerValidator;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether what a certificate authority answered is what we asked for. */
final class SigningAnswer {

  private static final Logger LOG = LoggerFactory.getLogger(SigningAnswer.class);

  private final SpiffeId expected;
  private final String authority;
  private final PeerValidator validator;

  SigningAnswer(SpiffeId expected, String authority, PeerValidator validator) {
    this.expected = expected;
    this.authority = authority;
    this.validator = validator;
  }

  /**
   * An identity made of the answer to a request for the key.
   *
   * @throws IdentityException naming what is wrong with the answer
   */
  Issued accept(List<String> elements, KeyPair pair) {
    IssuedChain chain = read(elements);
    if (!Arrays.equals(chain.leaf().getPublicKey().getEncoded(), pair.getPublic().getEncoded())) {
      throw refused(
          NotIssued.Problem.OTHER_KEY, "a certificate for another key than the request's", null);
    }
    X509Svid svid = X509Svid.of(chain.presented(), pair.getPrivate());
    if (!svid.id().equals(expected)) {
      throw refused(
          NotIssued.Problem.OTHER_IDENTITY,
          "a certificate for "
              + svid.id()
              + "; the authority goes by the token, so either the token belongs to another service"
              + " account, or the configured namespace, service account or trust domain is wrong",
          null);
    }
    TrustBundles bundles = TrustBundles.of(TrustBundle.of(expected.trustDomain(), chain.roots()));
    verify(chain, bundles);
    return new Issued(svid, bundles);
  }

  private IssuedChain read(List<String> elements) {
    if (elements.isEmpty()) {
      throw refused(NotIssued.Problem.EMPTY_ANSWER, "nothing", null);
    }
    try {
      return IssuedChain.of(elements);
    } catch (PemException e) {
      throw refused(NotIssued.Problem.UNREADABLE, "something unusable: " + e.getMessage(), e);
    }
  }

  /** As every peer will: with the roots of this very answer, now. */
  private void verify(IssuedChain chain, TrustBundles bundles) {
    try {
      validator.validate(
          chain.presented().toArray(X509Certificate[]::new), bundles, PeerRole.SERVER);
    } catch (PeerRejectedException e) {
      throw refused(
          NotIssued.Problem.UNTRUSTED,
          "a certificate that its own roots do not vouch for, or not now (compare the clocks): "
              + e.getMessage(),
          e);
    }
    if (!chain.hasSelfSignedRoot()) {
      LOG.warn(
          "{}: the trust anchors in the answer are intermediates; peers under another intermediate"
              + " of the same root will be refused",
          authority);
    }
  }

  private NotIssued refused(NotIssued.Problem problem, String what, @Nullable Exception cause) {
    return new NotIssued(
        problem, authority + " answered the request for " + expected + " with " + what, cause);
  }
}
