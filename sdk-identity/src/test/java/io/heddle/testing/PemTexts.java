// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.heddle.identity.X509Svid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collection;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;

/** PEM text as the producers of certificate files write it. */
public final class PemTexts {

  private PemTexts() {}

  /** Any bytes under any label. */
  public static String block(String label, byte[] der) {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  public static String certificate(X509Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  public static String certificates(Collection<X509Certificate> certificates) {
    StringBuilder text = new StringBuilder();
    certificates.forEach(certificate -> text.append(certificate(certificate)));
    return text.toString();
  }

  public static String chain(X509Svid svid) {
    return certificates(svid.chain());
  }

  /** The key in the form that states its algorithm. */
  public static String pkcs8(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  /** The key in the form of its algorithm: SEC1 for EC, PKCS#1 for RSA. */
  public static String bare(PrivateKey key) {
    String label = key.getAlgorithm().equals("RSA") ? "RSA PRIVATE KEY" : "EC PRIVATE KEY";
    try {
      return block(
          label,
          PrivateKeyInfo.getInstance(key.getEncoded())
              .parsePrivateKey()
              .toASN1Primitive()
              .getEncoded());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
