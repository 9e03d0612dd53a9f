// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The trust bundles of our own trust domain and of those federated with it, by trust domain. A peer
 * is judged by the bundle of its own trust domain and by no other, so bundles are never pooled. A
 * value, safe for any thread.
 */
public final class TrustBundles {

  private final Map<TrustDomain, TrustBundle> byDomain;

  private TrustBundles(Map<TrustDomain, TrustBundle> byDomain) {
    this.byDomain = byDomain;
  }

  /**
   * Collects bundles.
   *
   * @param bundles one for each trust domain
   * @return the collection
   * @throws IdentityException.InvalidBundle if two are for the same trust domain
   */
  public static TrustBundles of(TrustBundle... bundles) {
    return of(Arrays.asList(bundles));
  }

  /**
   * Collects bundles.
   *
   * @param bundles one for each trust domain
   * @return the collection
   * @throws IdentityException.InvalidBundle if two are for the same trust domain
   */
  public static TrustBundles of(Collection<TrustBundle> bundles) {
    Map<TrustDomain, TrustBundle> byDomain = new TreeMap<>();
    for (TrustBundle bundle : bundles) {
      if (byDomain.put(bundle.trustDomain(), bundle) != null) {
        throw new IdentityException.InvalidBundle(
            "two bundles for trust domain " + bundle.trustDomain() + " (expected: one)", null);
      }
    }
    return new TrustBundles(byDomain);
  }

  /**
   * The bundle of one trust domain.
   *
   * @param trustDomain whose bundle
   * @return the bundle, or empty if that trust domain is unknown and so untrusted
   */
  public Optional<TrustBundle> find(TrustDomain trustDomain) {
    return Optional.ofNullable(byDomain.get(trustDomain));
  }

  /**
   * Every bundle.
   *
   * @return the bundles, ordered by the name of the trust domain
   */
  public Collection<TrustBundle> all() {
    return Collections.unmodifiableCollection(byDomain.values());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof TrustBundles that && byDomain.equals(that.byDomain));
  }

  @Override
  public int hashCode() {
    return byDomain.hashCode();
  }

  /** The trust domains and how many anchors each has. */
  @Override
  public String toString() {
    return "TrustBundles" + byDomain.values();
  }
}
