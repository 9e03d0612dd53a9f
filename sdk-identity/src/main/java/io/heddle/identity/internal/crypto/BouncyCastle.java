// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.crypto;

import java.io.IOException;
import java.security.PrivateKey;
import java.security.Provider;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.jspecify.annotations.Nullable;

/** The one BouncyCastle provider of this library, never registered with the JVM. */
public final class BouncyCastle {

  /** Pass this object wherever an algorithm is looked up. */
  public static final Provider PROVIDER = new BouncyCastleProvider();

  private BouncyCastle() {}

  /** The key that {@code info} describes, or null where the algorithm is unknown. */
  public static @Nullable PrivateKey privateKey(PrivateKeyInfo info) throws IOException {
    return BouncyCastleProvider.getPrivateKey(info);
  }
}
