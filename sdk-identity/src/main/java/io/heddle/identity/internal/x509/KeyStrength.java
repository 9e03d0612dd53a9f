// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which keys and signatures are strong enough. The JDK's own limits apply to web servers'
 * authorities only, and let a 1024-bit RSA leaf pass.
 */
final class KeyStrength {

  private static final int MIN_RSA_BITS = 2048;

  // A verification with a huge modulus costs whole milliseconds: a gift to whoever wants to tire
  // us.
  private static final int MAX_RSA_BITS = 8192;

  private static final List<ECParameterSpec> CURVES =
      Stream.of("secp256r1", "secp384r1", "secp521r1").map(KeyStrength::curve).toList();

  private static final String RSA_PSS = "1.2.840.113549.1.1.10";

  /** SHA-256, -384 and -512 with RSA and with ECDSA; Ed25519. */
  private static final Set<String> SIGNATURES =
      Set.of(
          "1.2.840.113549.1.1.11",
          "1.2.840.113549.1.1.12",
          "1.2.840.113549.1.1.13",
          "1.2.840.10045.4.3.2",
          "1.2.840.10045.4.3.3",
          "1.2.840.10045.4.3.4",
          "1.3.101.112");

  private static final Set<String> DIGESTS = Set.of("SHA-256", "SHA-384", "SHA-512");

  private KeyStrength() {}

  /** Checks the key of a certificate and the signature on it. */
  static void check(X509Certificate certificate, String what) throws PeerRejectedException {
    checkKey(certificate, what);
    if (!isStrongSignature(certificate)) {
      throw new PeerRejectedException(
          PeerRejection.WEAK_SIGNATURE,
          null,
          what
              + " is signed with "
              + certificate.getSigAlgName()
              + " (expected: SHA-256 or better, with RSA or ECDSA, or Ed25519)",
          null);
    }
  }

  /** Checks the key only; the signature of a trust anchor on itself proves nothing. */
  static void checkKey(X509Certificate certificate, String what) throws PeerRejectedException {
    PublicKey key = certificate.getPublicKey();
    if (!isStrong(key)) {
      String size = key instanceof RSAPublicKey rsa ? " " + rsa.getModulus().bitLength() : "";
      throw new PeerRejectedException(
          PeerRejection.WEAK_KEY,
          null,
          what
              + " has a key of kind "
              + key.getAlgorithm()
              + size
              + " (expected: RSA 2048 to 8192, P-256, P-384, P-521 or Ed25519)",
          null);
    }
  }

  private static boolean isStrong(PublicKey key) {
    if (key instanceof RSAPublicKey rsa) {
      int bits = rsa.getModulus().bitLength();
      return bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS;
    }
    if (key instanceof ECPublicKey ec) {
      return CURVES.stream().anyMatch(curve -> isSameCurve(curve, ec.getParams()));
    }
    return key instanceof EdECPublicKey ed
        && ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName());
  }

  private static boolean isSameCurve(ECParameterSpec a, ECParameterSpec b) {
    return a.getCurve().equals(b.getCurve())
        && a.getGenerator().equals(b.getGenerator())
        && a.getOrder().equals(b.getOrder());
  }

  private static boolean isStrongSignature(X509Certificate certificate) {
    String algorithm = certificate.getSigAlgOID();
    return algorithm.equals(RSA_PSS)
        ? isStrongPss(certificate.getSigAlgParams())
        : SIGNATURES.contains(algorithm);
  }

  private static boolean isStrongPss(byte @Nullable [] encoded) {
    // Absent parameters mean SHA-1.
    if (encoded == null) {
      return false;
    }
    try {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("RSASSA-PSS");
      parameters.init(encoded);
      PSSParameterSpec spec = parameters.getParameterSpec(PSSParameterSpec.class);
      return DIGESTS.contains(spec.getDigestAlgorithm());
    } catch (GeneralSecurityException | IOException e) {
      return false;
    }
  }

  private static ECParameterSpec curve(String name) {
    try {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
      parameters.init(new ECGenParameterSpec(name));
      return parameters.getParameterSpec(ECParameterSpec.class);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK lacks the curve " + name, e);
    }
  }
}
