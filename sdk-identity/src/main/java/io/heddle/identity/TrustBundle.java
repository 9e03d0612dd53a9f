// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The trust anchors of one trust domain. No anchors is a legal state: everything of that trust
 * domain has been withdrawn, and none of its workloads is believed. A value, safe for any thread.
 */
public final class TrustBundle {

  private final TrustDomain trustDomain;
  private final Set<X509Certificate> anchors;

  private TrustBundle(TrustDomain trustDomain, Set<X509Certificate> anchors) {
    this.trustDomain = trustDomain;
    this.anchors = anchors;
  }

  /**
   * Makes a bundle. Anchors are not judged here: one bad anchor must not take the good ones with
   * it, so each is judged when a chain ends at it.
   *
   * @param trustDomain whose anchors they are
   * @param anchors the certificates of its authorities; may be empty
   * @return the bundle
   */
  public static TrustBundle of(
      TrustDomain trustDomain, Collection<? extends X509Certificate> anchors) {
    return new TrustBundle(
        trustDomain, Collections.unmodifiableSet(new LinkedHashSet<X509Certificate>(anchors)));
  }

  /**
   * Whose anchors these are.
   *
   * @return the trust domain
   */
  public TrustDomain trustDomain() {
    return trustDomain;
  }

  /**
   * The certificates of the authorities.
   *
   * @return the anchors in the order they were given; empty if everything was withdrawn
   */
  public Set<X509Certificate> anchors() {
    return anchors;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof TrustBundle that
            && trustDomain.equals(that.trustDomain)
            && anchors.equals(that.anchors));
  }

  @Override
  public int hashCode() {
    return 31 * trustDomain.hashCode() + anchors.hashCode();
  }

  /** The trust domain and how many anchors it has. */
  @Override
  public String toString() {
    return "TrustBundle[" + trustDomain + ", " + anchors.size() + " anchors]";
  }
}
