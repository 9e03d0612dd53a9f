// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.ca;

import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
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
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
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

/** A root certificate with its key, and the two kinds of certificate it can sign. */
public final class IssuingAuthority {

  /** How far before its making a certificate begins, for peers whose clocks are slow. */
  public static final Duration BACKDATED = Duration.ofSeconds(60);

  private static final X500Name EMPTY_SUBJECT = new X500Name(new RDN[0]);
  private static final int SERIAL_BITS = 127;

  private final X509Certificate certificate;
  private final PrivateKey key;
  private final SecureRandom random;

  /** An authority that exists already, for example one read back from a file. */
  public IssuingAuthority(X509Certificate certificate, PrivateKey key, SecureRandom random) {
    this.certificate = certificate;
    this.key = key;
    this.random = random;
  }

  /** A new self-signed ECDSA P-256 root whose SAN is the id of the trust domain, without path. */
  public static IssuingAuthority selfSigned(
      TrustDomain trustDomain, Instant notBefore, Instant notAfter, SecureRandom random) {
    KeyPair pair = KeyPairs.p256(random);
    BigInteger serial = serial(random);
    // The serial keeps the names of several development roots apart.
    X500Name name =
        new X500NameBuilder()
            .addRDN(BCStyle.CN, "Heddle development root " + serial.toString(16))
            .build();
    try {
      JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
                  name, serial, Date.from(notBefore), Date.from(notAfter), name, pair.getPublic())
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
              .addExtension(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
              .addExtension(Extension.subjectAlternativeName, false, uri(trustDomain.id()))
              .addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  identifiers.createSubjectKeyIdentifier(pair.getPublic()));
      return new IssuingAuthority(sign(builder, pair.getPrivate()), pair.getPrivate(), random);
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("cannot make a development root", e);
    }
  }

  /** The authority's own certificate. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** The authority's own key, for the development root that processes share. */
  public PrivateKey key() {
    return key;
  }

  /**
   * A leaf for a workload as Istio makes it: empty subject, one critical URI SAN, and the key
   * usages that the X.509-SVID specification asks for (sections 4.3 and 4.4).
   */
  public X509Certificate issue(
      SpiffeId id, PublicKey subjectKey, Instant notBefore, Instant notAfter) {
    X500Name issuer = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    try {
      JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
                  issuer,
                  serial(random),
                  Date.from(notBefore),
                  Date.from(notAfter),
                  EMPTY_SUBJECT,
                  subjectKey)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
              .addExtension(Extension.extendedKeyUsage, false, serverAndClient())
              .addExtension(Extension.subjectAlternativeName, true, uri(id))
              .addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  identifiers.createAuthorityKeyIdentifier(certificate.getPublicKey()));
      return sign(builder, key);
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("cannot sign a certificate for " + id, e);
    }
  }

  private static GeneralNames uri(SpiffeId id) {
    return new GeneralNames(new GeneralName(GeneralName.uniformResourceIdentifier, id.toString()));
  }

  private static ExtendedKeyUsage serverAndClient() {
    return new ExtendedKeyUsage(
        new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth});
  }

  /** Positive and at most 20 octets (RFC 5280 section 4.1.2.2). */
  private static BigInteger serial(SecureRandom random) {
    return new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1);
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
      throws IOException, GeneralSecurityException, OperatorCreationException {
    byte[] der =
        builder
            .build(
                new JcaContentSignerBuilder("SHA256withECDSA")
                    .setProvider(BouncyCastle.PROVIDER)
                    .build(key))
            .getEncoded();
    // The JDK's own certificate object: its path validation caches by it.
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }
}
