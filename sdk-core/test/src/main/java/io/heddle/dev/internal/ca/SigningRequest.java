// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.ca;

import io.grpc.Status;
import io.grpc.StatusException;
import io.heddle.identity.internal.crypto.BouncyCastle;
import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.jspecify.annotations.Nullable;

/** Reads what a client wants certified. Its names are ignored (control-plane reference 4.2). */
final class SigningRequest {

  private SigningRequest() {}

  /**
   * The key of a PEM-encoded request that is signed by that very key.
   *
   * @throws StatusException INVALID_ARGUMENT if the text is anything else
   */
  static PublicKey publicKey(String pem) throws StatusException {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      if (!(parser.readObject() instanceof PKCS10CertificationRequest request)) {
        throw invalid("it is no PEM block of a certificate request", null);
      }
      PublicKey key =
          new JcaPKCS10CertificationRequest(request)
              .setProvider(BouncyCastle.PROVIDER)
              .getPublicKey();
      boolean signed =
          request.isSignatureValid(
              new JcaContentVerifierProviderBuilder()
                  .setProvider(BouncyCastle.PROVIDER)
                  .build(key));
      if (!signed) {
        throw invalid("it is not signed by the key that it names", null);
      }
      return key;
    } catch (IOException | GeneralSecurityException | OperatorCreationException | PKCSException e) {
      throw invalid("it is not readable: " + e.getMessage(), e);
    }
  }

  private static StatusException invalid(String reason, @Nullable Throwable cause) {
    return Status.INVALID_ARGUMENT
        .withDescription("CSR signing error: " + reason)
        .withCause(cause)
        .asException();
  }
}
