// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.ca;

import io.heddle.identity.internal.crypto.BouncyCastle;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;

/** Fresh key pairs for SVIDs and development roots. */
public final class KeyPairs {

  private KeyPairs() {}

  /** A new ECDSA P-256 pair; BouncyCastle's private key can really be destroyed. */
  public static KeyPair p256(SecureRandom random) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", BouncyCastle.PROVIDER);
      generator.initialize(new ECGenParameterSpec("secp256r1"), random);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("BouncyCastle lacks ECDSA P-256", e);
    }
  }
}
