// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;

/** The kinds of keys that test certificates have. */
public enum KeyKind {
  P256("EC", new ECGenParameterSpec("secp256r1"), "SHA256withECDSA"),
  P384("EC", new ECGenParameterSpec("secp384r1"), "SHA384withECDSA"),
  P521("EC", new ECGenParameterSpec("secp521r1"), "SHA512withECDSA"),
  ED25519("Ed25519", NamedParameterSpec.ED25519, "Ed25519"),
  ED448("Ed448", NamedParameterSpec.ED448, "Ed448"),
  RSA_1024("RSA", new RSAKeyGenParameterSpec(1024, RSAKeyGenParameterSpec.F4), "SHA256withRSA"),
  RSA_2048("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4), "SHA256withRSA");

  private final String algorithm;
  private final AlgorithmParameterSpec parameters;
  private final String signature;

  KeyKind(String algorithm, AlgorithmParameterSpec parameters, String signature) {
    this.algorithm = algorithm;
    this.parameters = parameters;
    this.signature = signature;
  }

  /** A new key pair of this kind. */
  public KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(parameters);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The algorithm by which keys of this kind sign certificates unless told otherwise. */
  public String signature() {
    return signature;
  }
}
