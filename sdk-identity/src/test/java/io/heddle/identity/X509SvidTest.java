// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.identity.IdentityException.InvalidSvid;
import io.heddle.identity.IdentityException.InvalidSvid.Reason;
import io.heddle.testing.IssuedCertificate;
import io.heddle.testing.KeyKind;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestPki;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Collections;
import java.util.List;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class X509SvidTest {

  private static final String ID = "spiffe://cluster.local/ns/shop/sa/web";

  private final TestPki pki = TestPki.create("cluster.local");

  private static InvalidSvid invalid(List<X509Certificate> chain, PrivateKey key) {
    InvalidSvid invalid = catchThrowableOfType(InvalidSvid.class, () -> X509Svid.of(chain, key));
    assertThat(invalid).as("accepted").isNotNull();
    return invalid;
  }

  @Test
  @DisplayName("an SVID knows its id, its chain and its dates")
  void parts() {
    TestAuthority intermediate = pki.root().intermediate("int", 0);

    X509Svid svid = intermediate.leaf(ID).svid();

    assertThat(svid.id()).hasToString(ID);
    assertThat(svid.chain()).containsExactly(svid.leaf(), intermediate.certificate());
    assertThat(svid.notAfter()).isEqualTo(svid.leaf().getNotAfter().toInstant());
    assertThat(svid.notBefore()).isBefore(svid.notAfter());
  }

  @ParameterizedTest(name = "a key of another certificate is refused: {0}")
  @EnumSource(names = {"P256", "P384", "RSA_2048", "ED25519"})
  void keyMismatch(KeyKind kind) {
    IssuedCertificate issued = pki.root().leaf().uri(ID).key(kind).issue();

    InvalidSvid invalid = invalid(issued.chain(), kind.generate().getPrivate());

    assertThat(invalid.reason()).isEqualTo(Reason.KEY_MISMATCH);
    assertThat(invalid.leafRule()).isEmpty();
  }

  @Test
  @DisplayName("a key of another kind is refused")
  void keyOfAnotherKind() {
    IssuedCertificate issued = pki.root().leaf(ID);

    assertThat(invalid(issued.chain(), KeyKind.RSA_2048.generate().getPrivate()).reason())
        .isEqualTo(Reason.KEY_MISMATCH);
  }

  @ParameterizedTest(name = "a key made by BouncyCastle belongs to its certificate: {0}")
  @EnumSource(names = {"P256", "ED25519"})
  void bouncyCastleKey(KeyKind kind) throws Exception {
    KeyPairGenerator generator =
        KeyPairGenerator.getInstance(
            kind == KeyKind.P256 ? "EC" : "Ed25519", new BouncyCastleProvider());
    if (kind == KeyKind.P256) {
      generator.initialize(new ECGenParameterSpec("secp256r1"));
    }

    X509Svid svid = pki.root().leaf().uri(ID).key(generator.generateKeyPair()).issue().svid();

    assertThat(svid.id()).hasToString(ID);
  }

  @Test
  @DisplayName("a leaf that peers would refuse is refused here, by the same rule")
  void leafRule() {
    IssuedCertificate issued = pki.root().leaf().uri(ID).authority(-1).issue();

    InvalidSvid invalid = invalid(issued.chain(), issued.privateKey());

    assertThat(invalid.reason()).isEqualTo(Reason.LEAF_RULE);
    assertThat(invalid.leafRule()).contains(PeerRejection.LEAF_IS_CA);
  }

  @Test
  @DisplayName("a leaf for one role only is an SVID")
  void oneRole() {
    IssuedCertificate issued =
        pki.root().leaf().uri(ID).purposes(KeyPurposeId.id_kp_serverAuth).issue();

    assertThat(issued.svid().id()).hasToString(ID);
  }

  @Test
  @DisplayName("a chain has one to ten certificates")
  void chainSize() {
    IssuedCertificate issued = pki.root().leaf(ID);
    List<X509Certificate> eleven = Collections.nCopies(11, issued.certificate());

    assertThat(invalid(List.of(), issued.privateKey()).reason()).isEqualTo(Reason.CHAIN_SIZE);
    assertThat(invalid(eleven, issued.privateKey()).reason()).isEqualTo(Reason.CHAIN_SIZE);
  }

  @Test
  @DisplayName("SVIDs of one chain are equal, those of different chains are not")
  void equality() {
    IssuedCertificate issued = pki.root().leaf(ID);

    assertThat(issued.svid()).isEqualTo(issued.svid()).hasSameHashCodeAs(issued.svid());
    assertThat(issued.svid()).isNotEqualTo(pki.svid(ID));
  }
}
