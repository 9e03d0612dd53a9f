// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import io.heddle.identity.IdentityException;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.X509Svid;
import java.util.List;

/**
 * An identity made of PEM text.
 *
 * @param svid the chain with its key
 * @param bundles the bundle of the SVID's own trust domain
 * @param skippedRoots certificates among the roots that could not be read
 */
public record PemIdentity(X509Svid svid, TrustBundles bundles, int skippedRoots) {

  /**
   * Reads the three parts; key and chain may be the same text. The bytes of the key are wiped
   * wherever they were decoded to; the texts are the caller's to wipe.
   *
   * @throws PemException if a part cannot be read; the message says which
   * @throws IdentityException.InvalidSvid if key and chain are no SVID together
   */
  public static PemIdentity read(byte[] key, byte[] chain, byte[] roots) throws PemException {
    Certificates.Roots anchors = part("roots", () -> Certificates.roots(PemBlocks.parse(roots)));
    X509Svid svid =
        X509Svid.of(
            part("chain", () -> Certificates.chain(certificatesOnly(PemBlocks.parse(chain)))),
            part("key", () -> PrivateKeys.read(PemBlocks.parse(key))));
    TrustBundle bundle = TrustBundle.of(svid.id().trustDomain(), anchors.certificates());
    return new PemIdentity(svid, TrustBundles.of(bundle), anchors.skipped());
  }

  /** A credential bundle holds its key in the text of the chain, too. */
  private static List<PemBlock> certificatesOnly(List<PemBlock> blocks) {
    blocks.stream().filter(PemBlock::isPrivateKey).forEach(PemBlock::wipe);
    return blocks;
  }

  private static <T> T part(String name, Reading<T> reading) throws PemException {
    try {
      return reading.read();
    } catch (PemException e) {
      throw new PemException(name + ": " + e.getMessage(), e);
    }
  }

  private interface Reading<T> {
    T read() throws PemException;
  }
}
