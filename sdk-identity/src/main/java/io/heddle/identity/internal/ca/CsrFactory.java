// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.ca;

import io.heddle.identity.SpiffeId;
import io.heddle.identity.internal.crypto.BouncyCastle;
import io.heddle.identity.internal.pem.PemText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** PKCS#10 requests in the shape that SPIFFE issuers accept. */
public final class CsrFactory {

  private static final X500Name EMPTY_SUBJECT = new X500Name(new RDN[0]);

  private CsrFactory() {}

  /**
   * A request for {@code id}, signed with SHA-256 by the pair's own key, in DER.
   *
   * <p>The subject stays empty: a common name is limited to 64 characters and an SPIFFE id is not,
   * and RFC 5280 section 4.1.2.6 then wants the SAN extension critical.
   */
  public static byte[] der(SpiffeId id, KeyPair pair) {
    GeneralName uri = new GeneralName(GeneralName.uniformResourceIdentifier, id.toString());
    try {
      Extensions requested =
          new Extensions(
              new Extension(
                  Extension.subjectAlternativeName, true, new GeneralNames(uri).getEncoded()));
      return new JcaPKCS10CertificationRequestBuilder(EMPTY_SUBJECT, pair.getPublic())
          .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, requested)
          .build(
              new JcaContentSignerBuilder("SHA256withECDSA")
                  .setProvider(BouncyCastle.PROVIDER)
                  .build(pair.getPrivate()))
          .getEncoded();
    } catch (OperatorCreationException e) {
      throw new IllegalArgumentException("the key cannot sign with ECDSA and SHA-256", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same request as PEM text, which is what the Istio CA reads. */
  public static String pem(SpiffeId id, KeyPair pair) {
    return new String(
        PemText.block("CERTIFICATE REQUEST", der(id, pair)), StandardCharsets.US_ASCII);
  }
}
