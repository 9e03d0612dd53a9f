// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.TrustDomain;
import io.heddle.identity.X509Svid;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A trust domain for tests: one root, and SVIDs below it.
 *
 * <pre>{@code
 * TestPki pki = TestPki.create("cluster.local");
 * SvidSource server = pki.source("spiffe://cluster.local/ns/shop/sa/web");
 * }</pre>
 *
 * <p>For certificates that break rules start at {@link #root()} and its recipes.
 */
public final class TestPki {

  private final TrustDomain trustDomain;
  private final TestAuthority root;
  private final Clock clock;
  private final AtomicLong version = new AtomicLong();

  private TestPki(TrustDomain trustDomain, TestAuthority root, Clock clock) {
    this.trustDomain = trustDomain;
    this.root = root;
    this.clock = clock;
  }

  /** A new trust domain with a root of its own. */
  public static TestPki create(String trustDomain) {
    return create(trustDomain, Clock.systemUTC());
  }

  /** A new trust domain whose certificates are dated by the given clock. */
  public static TestPki create(String trustDomain, Clock clock) {
    return new TestPki(
        TrustDomain.parse(trustDomain), TestAuthority.root("root of " + trustDomain, clock), clock);
  }

  public TrustDomain trustDomain() {
    return trustDomain;
  }

  public TestAuthority root() {
    return root;
  }

  /** An SVID straight below the root, valid from a minute ago for an hour. */
  public X509Svid svid(String id) {
    return root.leaf(id).svid();
  }

  public X509Svid svid(SpiffeId id) {
    return svid(id.toString());
  }

  /** An SVID that ends so long from now; a negative time makes an expired one. */
  public X509Svid svid(String id, Duration fromNow) {
    return root.leaf()
        .uri(id)
        .notBefore(clock.instant().minus(Duration.ofHours(1)))
        .notAfter(clock.instant().plus(fromNow))
        .issue()
        .svid();
  }

  /** The bundle of this trust domain. */
  public TrustBundle bundle() {
    return TrustBundle.of(trustDomain, List.of(root.certificate()));
  }

  /** The bundle of this trust domain and those of others it trusts. */
  public TrustBundles bundles(TestPki... federated) {
    List<TrustBundle> all = new ArrayList<>();
    all.add(bundle());
    for (TestPki other : federated) {
      all.add(other.bundle());
    }
    return TrustBundles.of(all);
  }

  /** A snapshot with a new SVID and this trust domain's bundle. */
  public IdentitySnapshot snapshot(String id) {
    return snapshot(svid(id), bundles());
  }

  /** A snapshot of the given parts; versions grow by one. */
  public IdentitySnapshot snapshot(X509Svid svid, TrustBundles bundles) {
    return new IdentitySnapshot(version.incrementAndGet(), svid, bundles, clock.instant());
  }

  /** A source that is ready with a new SVID. */
  public SettableSource source(String id) {
    return SettableSource.of(snapshot(id));
  }
}
