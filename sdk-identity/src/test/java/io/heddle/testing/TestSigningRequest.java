// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.heddle.identity.SpiffeId;
import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/**
 * A signing request, read as the strictest of Istio's signers reads it: empty subject, one critical
 * URI and nothing else, signed by its own P-256 key.
 *
 * @param id what it asks for
 * @param key whom it is for
 */
public record TestSigningRequest(SpiffeId id, PublicKey key) {

  /** Reads PEM; the message of the failure names the rule that was broken. */
  public static TestSigningRequest parse(String pem) {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      if (!(parser.readObject() instanceof PKCS10CertificationRequest request)) {
        throw new IllegalArgumentException("no request");
      }
      require(request.getSubject().getRDNs().length == 0, "the subject is not empty");
      require(
          request
              .getSignatureAlgorithm()
              .getAlgorithm()
              .equals(X9ObjectIdentifiers.ecdsa_with_SHA256),
          "the signature is not ECDSA with SHA-256");
      require(
          SECObjectIdentifiers.secp256r1.equals(
              request.getSubjectPublicKeyInfo().getAlgorithm().getParameters()),
          "the key is not on P-256");
      PublicKey key =
          new JcaPKCS10CertificationRequest(request)
              .setProvider(new BouncyCastleProvider())
              .getPublicKey();
      require(
          request.isSignatureValid(
              new JcaContentVerifierProviderBuilder()
                  .setProvider(new BouncyCastleProvider())
                  .build(key)),
          "the signature is not the key's");
      return new TestSigningRequest(id(request.getRequestedExtensions()), key);
    } catch (IOException | GeneralSecurityException | OperatorCreationException | PKCSException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static SpiffeId id(Extensions extensions) {
    ASN1ObjectIdentifier[] present = extensions.getExtensionOIDs();
    require(
        present.length == 1 && present[0].equals(Extension.subjectAlternativeName),
        "there are other extensions than the names");
    Extension extension = extensions.getExtension(Extension.subjectAlternativeName);
    require(extension.isCritical(), "the names are not critical");
    GeneralName[] names = GeneralNames.getInstance(extension.getParsedValue()).getNames();
    require(
        names.length == 1 && names[0].getTagNo() == GeneralName.uniformResourceIdentifier,
        "there is not exactly one URI");
    return SpiffeId.parse(names[0].getName().toString());
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
