// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.io.IOException;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * How to make one certificate. It starts as a good leaf without a name and can be spoilt in every
 * way that the tests need. Not thread-safe; use it once.
 */
public final class CertificateRecipe {

  /** Stands for "leave the key usage extension out". */
  public static final int NO_KEY_USAGE = -1;

  private static final AtomicLong SERIAL = new AtomicLong(0x1000);

  private final TestAuthority issuer;
  private final List<GeneralName> names = new ArrayList<>();
  private final List<KeyPurposeId> purposes = new ArrayList<>();
  private String subject = "CN=workload";
  private boolean sanPresent = true;
  private boolean sanCritical;
  private KeyKind keyKind = KeyKind.P256;
  private KeyPair keys;
  private int keyUsage = KeyUsage.digitalSignature | KeyUsage.keyEncipherment;
  private boolean keyUsageCritical = true;
  private boolean purposesCritical;
  private BasicConstraints basicConstraints = new BasicConstraints(false);
  private Instant notBefore;
  private Instant notAfter;
  private String signature;
  private GeneralSubtree permitted;
  private ASN1ObjectIdentifier unknownCritical;

  CertificateRecipe(TestAuthority issuer) {
    this.issuer = issuer;
    Instant now = issuer.clock().instant();
    this.notBefore = now.minusSeconds(60);
    this.notAfter = now.plusSeconds(3600);
    purposes.add(KeyPurposeId.id_kp_serverAuth);
    purposes.add(KeyPurposeId.id_kp_clientAuth);
  }

  public CertificateRecipe subject(String name) {
    subject = name;
    return this;
  }

  public CertificateRecipe uri(String uri) {
    // Not GeneralName's own string form: it must carry whatever bytes a test wants.
    names.add(new GeneralName(GeneralName.uniformResourceIdentifier, new DERIA5String(uri)));
    return this;
  }

  public CertificateRecipe dns(String host) {
    names.add(new GeneralName(GeneralName.dNSName, host));
    return this;
  }

  public CertificateRecipe ip(String address) {
    names.add(new GeneralName(GeneralName.iPAddress, address));
    return this;
  }

  public CertificateRecipe email(String address) {
    names.add(new GeneralName(GeneralName.rfc822Name, address));
    return this;
  }

  public CertificateRecipe otherName(byte... value) {
    ASN1Encodable[] parts = {
      new ASN1ObjectIdentifier("1.3.6.1.4.1.55555.1"),
      new DERTaggedObject(true, 0, new DEROctetString(value))
    };
    names.add(new GeneralName(GeneralName.otherName, new DERSequence(parts)));
    return this;
  }

  public CertificateRecipe noSubjectAlternativeNames() {
    sanPresent = false;
    return this;
  }

  public CertificateRecipe criticalNames() {
    sanCritical = true;
    return this;
  }

  public CertificateRecipe key(KeyKind kind) {
    keyKind = kind;
    return this;
  }

  public CertificateRecipe key(KeyPair pair) {
    keys = pair;
    return this;
  }

  /** Bits of {@link KeyUsage}, or {@link #NO_KEY_USAGE}. */
  public CertificateRecipe keyUsage(int bits) {
    keyUsage = bits;
    return this;
  }

  public CertificateRecipe keyUsageNotCritical() {
    keyUsageCritical = false;
    return this;
  }

  /** The extended key usage; none leaves the extension out. */
  public CertificateRecipe purposes(KeyPurposeId... ids) {
    purposes.clear();
    purposes.addAll(List.of(ids));
    return this;
  }

  public CertificateRecipe purposesCritical() {
    purposesCritical = true;
    return this;
  }

  public CertificateRecipe noBasicConstraints() {
    basicConstraints = null;
    return this;
  }

  /** Makes it an authority's certificate; a negative path length means none. */
  public CertificateRecipe authority(int pathLength) {
    basicConstraints =
        pathLength < 0 ? new BasicConstraints(true) : new BasicConstraints(pathLength);
    return this;
  }

  public CertificateRecipe notBefore(Instant instant) {
    notBefore = instant;
    return this;
  }

  public CertificateRecipe notAfter(Instant instant) {
    notAfter = instant;
    return this;
  }

  public CertificateRecipe signature(String algorithm) {
    signature = algorithm;
    return this;
  }

  /** A name constraint: only URIs with this host are permitted below. */
  public CertificateRecipe permittedUriHost(String host) {
    permitted = new GeneralSubtree(new GeneralName(GeneralName.uniformResourceIdentifier, host));
    return this;
  }

  public CertificateRecipe unknownCriticalExtension() {
    unknownCritical = new ASN1ObjectIdentifier("1.3.6.1.4.1.55555.2");
    return this;
  }

  /** Signed by the authority that the recipe came from. */
  public IssuedCertificate issue() {
    KeyPair pair = pair();
    return new IssuedCertificate(
        build(pair, issuer.subject(), issuer.privateKey(), issuer.keyKind()),
        pair.getPrivate(),
        issuer.intermediates());
  }

  /** Signed by its own key. */
  public IssuedCertificate selfSign() {
    KeyPair pair = pair();
    return new IssuedCertificate(
        build(pair, new X500Name(subject), pair.getPrivate(), keyKind),
        pair.getPrivate(),
        List.of());
  }

  /** Makes an authority of what is issued. */
  TestAuthority issueAuthority() {
    IssuedCertificate issued = issue();
    List<X509Certificate> above = new ArrayList<>();
    above.add(issued.certificate());
    above.addAll(issuer.intermediates());
    return new TestAuthority(
        issued.certificate(), issued.privateKey(), keyKind, above, issuer.clock());
  }

  private KeyPair pair() {
    return keys == null ? keyKind.generate() : keys;
  }

  private byte[] build(KeyPair pair, X500Name issuerName, PrivateKey signer, KeyKind signerKind) {
    X509v3CertificateBuilder builder =
        new X509v3CertificateBuilder(
            issuerName,
            BigInteger.valueOf(SERIAL.incrementAndGet()),
            Date.from(notBefore),
            Date.from(notAfter),
            new X500Name(subject),
            SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()));
    try {
      addExtensions(builder);
      String algorithm = signature == null ? signerKind.signature() : signature;
      return builder.build(new JcaContentSignerBuilder(algorithm).build(signer)).getEncoded();
    } catch (IOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private void addExtensions(X509v3CertificateBuilder builder) throws IOException {
    if (basicConstraints != null) {
      builder.addExtension(Extension.basicConstraints, true, basicConstraints);
    }
    if (keyUsage != NO_KEY_USAGE) {
      builder.addExtension(Extension.keyUsage, keyUsageCritical, new KeyUsage(keyUsage));
    }
    if (!purposes.isEmpty()) {
      ExtendedKeyUsage usage = new ExtendedKeyUsage(purposes.toArray(new KeyPurposeId[0]));
      builder.addExtension(Extension.extendedKeyUsage, purposesCritical, usage);
    }
    if (sanPresent) {
      GeneralNames value = new GeneralNames(names.toArray(new GeneralName[0]));
      builder.addExtension(Extension.subjectAlternativeName, sanCritical, value);
    }
    if (permitted != null) {
      GeneralSubtree[] subtrees = {permitted};
      builder.addExtension(Extension.nameConstraints, true, new NameConstraints(subtrees, null));
    }
    if (unknownCritical != null) {
      builder.addExtension(unknownCritical, true, DERNull.INSTANCE);
    }
  }
}
