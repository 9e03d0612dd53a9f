// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.testing.CertificateRecipe;
import io.heddle.testing.IssuedCertificate;
import io.heddle.testing.TestPki;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SubjectAlternativeNamesTest {

  private static final String ID = "spiffe://mesh.test/ns/shop/sa/web";

  private final TestPki pki = TestPki.create("mesh.test");
  private final PeerValidator validator = new PeerValidator(Clock.systemUTC());

  private Throwable verdict(IssuedCertificate leaf) {
    Certificate[] chain = leaf.chain().toArray(new Certificate[0]);
    return catchThrowable(() -> validator.validate(chain, pki.bundles(), PeerRole.CLIENT));
  }

  private void assertRejected(CertificateRecipe recipe, PeerRejection reason, String... named) {
    assertThat(verdict(recipe.issue()))
        .isInstanceOf(CertificateException.class)
        .isInstanceOfSatisfying(
            PeerRejectedException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContainingAll(named);
  }

  @Test
  @DisplayName("B012 host names, addresses and other names beside the id are no obstacle")
  void everyKindOfName() {
    CertificateRecipe recipe =
        pki.root()
            .leaf()
            .uri(ID)
            .dns("web.shop.svc")
            .ip("127.0.0.1")
            .otherName((byte) 1, (byte) 2, (byte) 3);

    assertThat(verdict(recipe.issue())).isNull();
  }

  @Test
  @DisplayName("B012 a malformed URI is a rejection that names it")
  void malformedUri() {
    assertRejected(
        pki.root().leaf().uri("spiffe://mesh.test/ns/shop/sa/bad path"),
        PeerRejection.BAD_SPIFFE_ID,
        "spiffe://mesh.test/ns/shop/sa/bad path");
  }

  @Test
  @DisplayName("B012 no names at all are a rejection")
  void noNames() {
    assertRejected(
        pki.root().leaf().noSubjectAlternativeNames(),
        PeerRejection.NO_URI_SAN,
        "no URI among its subject alternative names");
  }

  @Test
  @DisplayName("B012 an empty list of names is a rejection")
  void emptyNames() {
    assertRejected(pki.root().leaf(), PeerRejection.NO_URI_SAN, "no URI");
  }

  @Test
  @DisplayName("B013 an https URI before the id is a rejection")
  void httpsFirst() {
    assertRejected(
        pki.root().leaf().uri("https://example.test/x").uri(ID),
        PeerRejection.MULTIPLE_URI_SAN,
        "https://example.test/x",
        ID);
  }

  @Test
  @DisplayName("B013 two ids are a rejection")
  void twoIds() {
    assertRejected(
        pki.root().leaf().uri(ID).uri("spiffe://mesh.test/ns/shop/sa/admin"),
        PeerRejection.MULTIPLE_URI_SAN,
        "2 URIs");
  }

  @Test
  @DisplayName("B013 the same id twice is a rejection")
  void sameIdTwice() {
    assertRejected(pki.root().leaf().uri(ID).uri(ID), PeerRejection.MULTIPLE_URI_SAN, "2 URIs");
  }

  @Test
  @DisplayName("B013 host name and address beside one id stay fine")
  void oneIdAmongOthers() {
    assertThat(verdict(pki.root().leaf().dns("a.test").uri(ID).ip("10.0.0.1").issue())).isNull();
  }

  @Test
  @DisplayName("B012 a leaf with any signed byte damaged is a rejection, never a runtime error")
  void damagedBytes() throws Exception {
    IssuedCertificate leaf = pki.root().leaf().uri(ID).dns("a.test").otherName((byte) 9).issue();
    // What follows the signed part is not signed: a padding bit may change without effect there.
    int signedEnd = leaf.der().length - suffixLength(leaf);
    Random random = new Random(20260301);
    for (int i = 0; i < signedEnd; i++) {
      byte[] damaged = leaf.der().clone();
      damaged[i] ^= (byte) (1 << random.nextInt(8));

      Throwable verdict =
          catchThrowable(
              () ->
                  validator.validate(
                      new Certificate[] {new RawCertificate(damaged)},
                      pki.bundles(),
                      PeerRole.CLIENT));

      assertThat(verdict).as("byte %d", i).isInstanceOf(PeerRejectedException.class);
    }
  }

  /** The bytes behind the signed part; before it stand four bytes of tag and length. */
  private static int suffixLength(IssuedCertificate leaf) throws CertificateException {
    return leaf.der().length - 4 - leaf.certificate().getTBSCertificate().length;
  }

  /** Bytes that nobody has parsed yet, as OpenSSL hands them over. */
  private static final class RawCertificate extends Certificate {

    private static final long serialVersionUID = 1L;

    private final byte[] der;

    RawCertificate(byte[] der) {
      super("X.509");
      this.der = der;
    }

    @Override
    public byte[] getEncoded() {
      return der.clone();
    }

    @Override
    public void verify(PublicKey key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void verify(PublicKey key, String provider) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String toString() {
      return "raw certificate";
    }

    @Override
    public PublicKey getPublicKey() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  @DisplayName("a certificate that throws unchecked exceptions is a rejection")
  void throwingCertificate() {
    Certificate throwing =
        new Certificate("X.509") {

          private static final long serialVersionUID = 1L;

          @Override
          public byte[] getEncoded() {
            throw new IllegalStateException("lazily parsed, and broken");
          }

          @Override
          public void verify(PublicKey key) {}

          @Override
          public void verify(PublicKey key, String provider) {}

          @Override
          public String toString() {
            return "throwing";
          }

          @Override
          public PublicKey getPublicKey() {
            throw new IllegalStateException();
          }
        };

    assertThat(
            catchThrowable(
                () ->
                    validator.validate(
                        new Certificate[] {throwing}, pki.bundles(), PeerRole.CLIENT)))
        .isInstanceOfSatisfying(
            PeerRejectedException.class,
            e -> assertThat(e.reason()).isEqualTo(PeerRejection.PARSE));
  }
}
