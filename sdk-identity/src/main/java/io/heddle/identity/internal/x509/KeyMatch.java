// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.internal.crypto.BouncyCastle;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Whether a private key belongs to a public one: it signs, the other verifies. */
public final class KeyMatch {

  private static final byte[] PROBE =
      "does this key belong to this certificate".getBytes(StandardCharsets.US_ASCII);

  private KeyMatch() {}

  /**
   * Tries the pair. Works for keys that never leave a token, too, because it only asks for a
   * signature.
   *
   * @return false if they do not belong together, or the private key cannot sign at all
   */
  public static boolean matches(PublicKey publicKey, PrivateKey privateKey) {
    String algorithm =
        switch (publicKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "Ed25519";
        };
    try {
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(publicKey);
      verifier.update(PROBE);
      return verifier.verify(sign(algorithm, privateKey));
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static byte[] sign(String algorithm, PrivateKey key) throws GeneralSecurityException {
    Signature signer = Signature.getInstance(algorithm);
    try {
      signer.initSign(key);
    } catch (InvalidKeyException e) {
      // A key object of BouncyCastle that no registered provider understands.
      signer = Signature.getInstance(algorithm, BouncyCastle.PROVIDER);
      signer.initSign(key);
    }
    signer.update(PROBE);
    return signer.sign();
  }
}
