// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.ca;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.SpiffeId;
import java.io.StringReader;
import java.security.KeyPair;
import java.security.SecureRandom;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CsrFactoryTest {

  private static final String LONG_NAMES =
      "spiffe://mesh.test/ns/a-namespace-with-a-fairly-long-name-for-tests/sa/"
          + "an-equally-long-service-account-name";

  @ParameterizedTest(
      name = "B011 a request for an id of {0} characters has no subject, one critical URI")
  @ValueSource(ints = {40, 107, 2048})
  void longIds(int length) throws Exception {
    String text =
        length <= LONG_NAMES.length()
            ? LONG_NAMES.substring(0, length)
            : LONG_NAMES + "/" + "x".repeat(length - LONG_NAMES.length() - 1);
    SpiffeId id = SpiffeId.parse(text);
    KeyPair pair = KeyPairs.p256(new SecureRandom());

    PKCS10CertificationRequest request = parse(CsrFactory.pem(id, pair));

    assertThat(id.toString()).hasSize(length);
    assertThat(request.getSubject()).isEqualTo(new X500Name(""));
    Extension names =
        request.getRequestedExtensions().getExtension(Extension.subjectAlternativeName);
    assertThat(names.isCritical()).isTrue();
    assertThat(GeneralNames.getInstance(names.getParsedValue()).getNames())
        .containsExactly(new GeneralName(GeneralName.uniformResourceIdentifier, text));
    assertThat(request.getRequestedExtensions().getExtensionOIDs()).hasSize(1);
    assertThat(request.getSubjectPublicKeyInfo().getAlgorithm().getParameters())
        .isEqualTo(X9ObjectIdentifiers.prime256v1);
    assertThat(new JcaPKCS10CertificationRequest(request).getPublicKey())
        .isEqualTo(pair.getPublic());
    assertThat(
            request.isSignatureValid(
                new JcaContentVerifierProviderBuilder().build(pair.getPublic())))
        .isTrue();
  }

  private static PKCS10CertificationRequest parse(String pem) throws Exception {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      return (PKCS10CertificationRequest) parser.readObject();
    }
  }
}
