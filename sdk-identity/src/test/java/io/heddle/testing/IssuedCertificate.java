// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.heddle.identity.X509Svid;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * A certificate made by a {@link CertificateRecipe}: its bytes, its key, and the certificates
 * between it and the root.
 *
 * @param der the certificate
 * @param privateKey its key
 * @param intermediates the authorities above it, nearest first, without the root
 */
public record IssuedCertificate(
    byte[] der, PrivateKey privateKey, List<X509Certificate> intermediates) {

  /** The certificate as the JDK reads it. */
  public X509Certificate certificate() {
    try {
      return parse(CertificateFactory.getInstance("X.509"));
    } catch (CertificateException e) {
      throw new IllegalStateException("the JDK cannot read this certificate", e);
    }
  }

  /** The certificate as BouncyCastle reads it: also where the JDK refuses to. */
  public X509Certificate leniently() {
    try {
      return parse(CertificateFactory.getInstance("X.509", new BouncyCastleProvider()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Certificate parse(CertificateFactory factory) throws CertificateException {
    return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
  }

  /** What a well-behaved peer presents: this certificate, then the intermediates. */
  public List<X509Certificate> chain() {
    List<X509Certificate> chain = new ArrayList<>();
    chain.add(certificate());
    chain.addAll(intermediates);
    return List.copyOf(chain);
  }

  /** An SVID of this certificate; fails if the certificate breaks the rules for one. */
  public X509Svid svid() {
    return X509Svid.of(chain(), privateKey);
  }
}
