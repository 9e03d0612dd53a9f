// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.KeyUsage;

/** A certificate authority of the tests: a root, or an intermediate below one. */
public final class TestAuthority {

  private final X509Certificate certificate;
  private final PrivateKey privateKey;
  private final KeyKind keyKind;
  private final List<X509Certificate> intermediates;
  private final Clock clock;

  TestAuthority(
      X509Certificate certificate,
      PrivateKey privateKey,
      KeyKind keyKind,
      List<X509Certificate> intermediates,
      Clock clock) {
    this.certificate = certificate;
    this.privateKey = privateKey;
    this.keyKind = keyKind;
    this.intermediates = List.copyOf(intermediates);
    this.clock = clock;
  }

  /** A root with the given common name, valid for ten years. */
  public static TestAuthority root(String commonName, Clock clock) {
    return root(commonName, KeyKind.P256.generate(), clock, clock.instant().plus(years(10)));
  }

  /** A root with a given P-256 key pair and end. */
  public static TestAuthority root(String commonName, KeyPair keys, Clock clock, Instant notAfter) {
    IssuedCertificate own =
        new CertificateRecipe(new TestAuthority(null, null, KeyKind.P256, List.of(), clock))
            .subject("CN=" + commonName)
            .key(keys)
            .notBefore(clock.instant().minus(years(1)))
            .notAfter(notAfter)
            .authority(-1)
            .keyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign)
            .purposes()
            .noSubjectAlternativeNames()
            .selfSign();
    return of(own, clock);
  }

  /** An authority made of a self-signed certificate, whatever its extensions say. */
  public static TestAuthority of(IssuedCertificate own, Clock clock) {
    return new TestAuthority(
        own.certificate(), own.privateKey(), KeyKind.P256, own.intermediates(), clock);
  }

  /** An authority below this one; a negative path length means none. */
  public TestAuthority intermediate(String commonName, int pathLength) {
    return intermediateRecipe(commonName, pathLength).issueAuthority();
  }

  /** An authority below this one whose certificate ends at the given time. */
  public TestAuthority intermediate(String commonName, int pathLength, Instant notAfter) {
    return intermediateRecipe(commonName, pathLength).notAfter(notAfter).issueAuthority();
  }

  /** What an intermediate's certificate starts from, to be spoilt. */
  public CertificateRecipe intermediateRecipe(String commonName, int pathLength) {
    return new CertificateRecipe(this)
        .subject("CN=" + commonName)
        .notBefore(clock.instant().minus(Duration.ofDays(30)))
        .notAfter(clock.instant().plus(years(1)))
        .authority(pathLength)
        .keyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign)
        .purposes()
        .noSubjectAlternativeNames();
  }

  /** An authority below this one made by a recipe that this one gave out. */
  public TestAuthority intermediate(CertificateRecipe recipe) {
    return recipe.issueAuthority();
  }

  /** What a leaf's certificate starts from: good, but without a name. */
  public CertificateRecipe leaf() {
    return new CertificateRecipe(this);
  }

  /** A good leaf with one SPIFFE ID. */
  public IssuedCertificate leaf(String id) {
    return leaf().uri(id).issue();
  }

  public X509Certificate certificate() {
    return certificate;
  }

  PrivateKey privateKey() {
    return privateKey;
  }

  KeyKind keyKind() {
    return keyKind;
  }

  X500Name subject() {
    return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
  }

  /** This authority and those above it, nearest first, without the root. */
  List<X509Certificate> intermediates() {
    return intermediates;
  }

  Clock clock() {
    return clock;
  }

  private static Duration years(int years) {
    return Duration.ofDays(365L * years);
  }
}
