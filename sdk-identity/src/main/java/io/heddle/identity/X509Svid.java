// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import io.heddle.identity.IdentityException.InvalidSvid;
import io.heddle.identity.internal.x509.KeyMatch;
import io.heddle.identity.internal.x509.LeafRules;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Our own X.509 SVID: a certificate chain that says who we are, and the private key that proves it.
 *
 * <p>A value, safe for any thread. The key is in no text form of this type, and the type cannot be
 * serialised.
 */
public final class X509Svid {

  private final SpiffeId id;
  private final List<X509Certificate> chain;
  private final PrivateKey privateKey;

  private X509Svid(SpiffeId id, List<X509Certificate> chain, PrivateKey privateKey) {
    this.id = id;
    this.chain = chain;
    this.privateKey = privateKey;
  }

  /**
   * Makes an SVID from a chain and its key, after checking the rules of the X.509 SVID standard for
   * the leaf and that the key belongs to it. Dates are not checked: whether it is still good
   * depends on when one asks. Costs a signature, so call it once per certificate, off event loops.
   *
   * @param chain the certificates to present, leaf first, without the trust anchor
   * @param privateKey the key of the leaf
   * @return the SVID
   * @throws IdentityException.InvalidSvid if peers would refuse the leaf or the key is another
   *     one's
   */
  public static X509Svid of(List<X509Certificate> chain, PrivateKey privateKey) {
    List<X509Certificate> copy = List.copyOf(chain);
    if (copy.isEmpty() || copy.size() > LeafRules.MAX_CHAIN) {
      throw new InvalidSvid(
          InvalidSvid.Reason.CHAIN_SIZE,
          "a chain has 1 to " + LeafRules.MAX_CHAIN + " certificates, this one " + copy.size(),
          null);
    }
    X509Certificate leaf = copy.get(0);
    SpiffeId id;
    try {
      id = LeafRules.check(leaf);
    } catch (PeerRejectedException rule) {
      throw new InvalidSvid(
          InvalidSvid.Reason.LEAF_RULE, "own leaf would be refused: " + rule.getMessage(), rule);
    }
    if (!KeyMatch.matches(leaf.getPublicKey(), privateKey)) {
      throw new InvalidSvid(
          InvalidSvid.Reason.KEY_MISMATCH,
          "the private key does not belong to the certificate of " + id,
          null);
    }
    return new X509Svid(id, copy, privateKey);
  }

  /**
   * Who we are.
   *
   * @return the id in the leaf
   */
  public SpiffeId id() {
    return id;
  }

  /**
   * What we present to peers.
   *
   * @return the certificates, leaf first
   */
  public List<X509Certificate> chain() {
    return chain;
  }

  /**
   * The certificate that carries the id.
   *
   * @return the first certificate of the chain
   */
  public X509Certificate leaf() {
    return chain.get(0);
  }

  /**
   * The key of the leaf. Handle with care: never log, export or write it.
   *
   * @return the private key
   */
  public PrivateKey privateKey() {
    return privateKey;
  }

  /**
   * When the leaf becomes valid.
   *
   * @return the start of its validity
   */
  public Instant notBefore() {
    return leaf().getNotBefore().toInstant();
  }

  /**
   * When the leaf expires.
   *
   * @return the end of its validity
   */
  public Instant notAfter() {
    return leaf().getNotAfter().toInstant();
  }

  /** Compares the chains: the leaf holds the public key, and so stands for the private one. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof X509Svid that && chain.equals(that.chain);
  }

  @Override
  public int hashCode() {
    return chain.hashCode();
  }

  /** The id, the serial number and the validity; never the key. */
  @Override
  public String toString() {
    return "X509Svid["
        + id
        + ", serial "
        + leaf().getSerialNumber().toString(16)
        + ", "
        + notBefore()
        + " to "
        + notAfter()
        + "]";
  }
}
