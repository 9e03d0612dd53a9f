// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.ca;

import io.heddle.identity.SpiffeId;
import io.heddle.identity.internal.ca.KeyPairs;
import io.heddle.identity.internal.crypto.BouncyCastle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A CA certificate with its key.
 *
 * @param certificate the certificate
 * @param key its key, which stays in memory
 */
record Signer(X509Certificate certificate, PrivateKey key) {

  private static final X500Name EMPTY_SUBJECT = new X500Name(new RDN[0]);
  private static final int SERIAL_BITS = 127;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A self-signed root. */
  static Signer root(String name, Instant notBefore, Instant notAfter) {
    return authority(name(name), null, notBefore, notAfter);
  }

  /** An authority below this one. */
  Signer intermediate(String name, Instant notBefore, Instant notAfter) {
    return authority(name(name), this, notBefore, notAfter);
  }

  /** A leaf as istiod makes it: the SAN is the caller's identity, whatever was asked for. */
  X509Certificate workload(SpiffeId id, PublicKey subject, Instant notBefore, Instant notAfter) {
    GeneralName uri = new GeneralName(GeneralName.uniformResourceIdentifier, id.toString());
    return leaf(List.of(uri), subject, notBefore, notAfter);
  }

  /** A leaf for a server with host names. */
  X509Certificate server(
      List<String> names, PublicKey subject, Instant notBefore, Instant notAfter) {
    return leaf(
        names.stream().map(name -> new GeneralName(GeneralName.dNSName, name)).toList(),
        subject,
        notBefore,
        notAfter);
  }

  private static Signer authority(
      X500Name name, @Nullable Signer parent, Instant notBefore, Instant notAfter) {
    KeyPair pair = KeyPairs.p256(RANDOM);
    try {
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
                  parent == null ? name : parent.subject(),
                  serial(),
                  Date.from(notBefore),
                  Date.from(notAfter),
                  name,
                  pair.getPublic())
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
              .addExtension(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
              .addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
      PrivateKey signing = parent == null ? pair.getPrivate() : parent.key;
      return new Signer(signed(builder, signing), pair.getPrivate());
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("cannot make the authority " + name, e);
    }
  }

  private X509Certificate leaf(
      List<GeneralName> names, PublicKey subject, Instant notBefore, Instant notAfter) {
    try {
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
                  subject(),
                  serial(),
                  Date.from(notBefore),
                  Date.from(notAfter),
                  EMPTY_SUBJECT,
                  subject)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(
                  Extension.keyUsage,
                  true,
                  new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment))
              .addExtension(
                  Extension.extendedKeyUsage,
                  false,
                  new ExtendedKeyUsage(
                      new KeyPurposeId[] {
                        KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                      }))
              .addExtension(
                  Extension.subjectAlternativeName,
                  true,
                  new GeneralNames(names.toArray(GeneralName[]::new)))
              .addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  new JcaX509ExtensionUtils()
                      .createAuthorityKeyIdentifier(certificate.getPublicKey()));
      return signed(builder, key);
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("cannot sign a certificate", e);
    }
  }

  private X500Name subject() {
    return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
  }

  private static X500Name name(String text) {
    return new X500NameBuilder()
        .addRDN(BCStyle.O, "Heddle local control plane")
        .addRDN(BCStyle.CN, text + " " + serial().toString(16))
        .build();
  }

  private static BigInteger serial() {
    return new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1);
  }

  private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key)
      throws IOException, GeneralSecurityException, OperatorCreationException {
    byte[] der =
        builder
            .build(
                new JcaContentSignerBuilder("SHA256withECDSA")
                    .setProvider(BouncyCastle.PROVIDER)
                    .build(key))
            .getEncoded();
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }
}
