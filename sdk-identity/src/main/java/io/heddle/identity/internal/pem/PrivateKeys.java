// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import io.heddle.identity.internal.crypto.BouncyCastle;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.jspecify.annotations.Nullable;

/**
 * Makes a private key of PEM blocks: PKCS#8 ({@code PRIVATE KEY}), SEC1 ({@code EC PRIVATE KEY},
 * with or without {@code EC PARAMETERS} before it) and PKCS#1 ({@code RSA PRIVATE KEY}).
 *
 * <p>EC and RSA keys are BouncyCastle's, because those can be destroyed; the JDK's cannot. What the
 * library copies while it decodes is out of reach and left to the garbage collector.
 */
public final class PrivateKeys {

  private PrivateKeys() {}

  /**
   * The only private key among the blocks. Every key block is wiped before this returns, also when
   * it fails.
   */
  public static PrivateKey read(List<PemBlock> blocks) throws PemException {
    try {
      PemBlock key = null;
      PemBlock parameters = null;
      for (PemBlock block : blocks) {
        if (block.label().equals("EC PARAMETERS")) {
          parameters = block;
        } else if (block.isPrivateKey()) {
          if (key != null) {
            throw new PemException("more than one private key");
          }
          key = block;
        }
      }
      if (key == null) {
        throw new PemException("no private key block");
      }
      return read(key, parameters);
    } finally {
      blocks.stream().filter(PemBlock::isPrivateKey).forEach(PemBlock::wipe);
    }
  }

  private static PrivateKey read(PemBlock key, @Nullable PemBlock parameters) throws PemException {
    if (key.isEncrypted()) {
      throw new PemException(
          "the private key is encrypted with a password; mesh keys must be stored in the clear"
              + " (protect the file by its mode instead)");
    }
    try {
      return key(
          switch (key.label()) {
            case "PRIVATE KEY" -> PrivateKeyInfo.getInstance(key.der());
            case "EC PRIVATE KEY" -> sec1(key, parameters);
            case "RSA PRIVATE KEY" ->
                new PrivateKeyInfo(
                    new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                    RSAPrivateKey.getInstance(key.der()));
            default -> throw new PemException("unsupported block " + key.label());
          });
    } catch (IOException
        | GeneralSecurityException
        | IllegalArgumentException
        | IllegalStateException e) {
      // The cause may quote what it could not parse, so only its kind is kept.
      throw new PemException(
          "block " + key.label() + " is not a valid key (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static PrivateKeyInfo sec1(PemBlock key, @Nullable PemBlock parameters)
      throws IOException, PemException {
    ECPrivateKey content = ECPrivateKey.getInstance(key.der());
    ASN1Encodable curve = content.getParametersObject();
    if (curve == null && parameters != null) {
      curve = ASN1Primitive.fromByteArray(parameters.der());
    }
    if (curve == null) {
      throw new PemException("block EC PRIVATE KEY does not name its curve");
    }
    return new PrivateKeyInfo(
        new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve), content);
  }

  private static PrivateKey key(PrivateKeyInfo info)
      throws IOException, GeneralSecurityException, PemException {
    if (info.getPrivateKeyAlgorithm().getAlgorithm().equals(EdECObjectIdentifiers.id_Ed25519)) {
      // TLS engines know the JDK's name of this algorithm only.
      byte[] pkcs8 = info.getEncoded();
      try {
        return KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } finally {
        Arrays.fill(pkcs8, (byte) 0);
      }
    }
    PrivateKey key = BouncyCastle.privateKey(info);
    if (key == null) {
      throw new PemException(
          "unsupported key algorithm " + info.getPrivateKeyAlgorithm().getAlgorithm().getId());
    }
    return key;
  }
}
