// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the certificates that a peer presented into its identity, or says why not.
 *
 * <p>The order of the checks: the leaf on its own, exactly one URI, a SPIFFE ID in it, the bundle
 * of that id's own trust domain, a path to an anchor of that bundle and no other. Host names play
 * no part. Whether the peer is one that we want is {@link #authorize}.
 *
 * <p>Where sources leave a choice: the leaf's extended key usage, if present, must cover the role
 * that the peer plays (a server-only certificate is no client), and both roles under {@link
 * ValidationRules.Purposes#BOTH}; a chain in the wrong order, or with certificates that do not
 * belong to it, is accepted as long as a path can be built from it; an expired anchor anchors
 * nothing.
 *
 * <p>Only {@link PeerRejectedException} leaves a check, never a runtime exception, whatever the
 * certificates hold. Safe for any thread. A chain seen before costs microseconds, a new one one or
 * two milliseconds: keep it off event loops.
 */
public final class PeerValidator {

  private static final Logger LOG = LoggerFactory.getLogger(PeerValidator.class);

  private static final int CACHED_CHAINS = 4096;

  private final Clock clock;
  private final ValidationRules rules;
  private final LongAdder cacheHits = new LongAdder();
  private final LongAdder pathSearches = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder keyUsageNotCritical = new LongAdder();
  private final ClockSuspicion clockSuspicion = new ClockSuspicion();
  private volatile VerifiedChains verified = new VerifiedChains(TrustBundles.of(), CACHED_CHAINS);

  /**
   * What a validator did so far.
   *
   * @param cacheHits peers recognised without looking for a path
   * @param pathSearches paths looked for
   * @param rejected peers refused
   * @param keyUsageNotCritical accepted leaves whose key usage should have been critical and was
   *     not
   */
  public record Statistics(
      long cacheHits, long pathSearches, long rejected, long keyUsageNotCritical) {}

  /** A validator with the default rules. */
  public PeerValidator(Clock clock) {
    this(clock, ValidationRules.defaults());
  }

  /** A validator with rules of its own. */
  public PeerValidator(Clock clock, ValidationRules rules) {
    this.clock = clock;
    this.rules = rules;
  }

  /**
   * Verifies what a peer presented.
   *
   * @param presented the certificates, leaf first, as a trust manager or a TLS session gives them
   * @param bundles those of one snapshot
   * @param role the part that the peer plays
   * @return who the peer is
   * @throws PeerRejectedException if that cannot be said
   */
  public PeerSvid validate(Certificate @Nullable [] presented, TrustBundles bundles, PeerRole role)
      throws PeerRejectedException {
    try {
      return validated(presented, bundles, role);
    } catch (PeerRejectedException e) {
      rejected.increment();
      throw e;
    } catch (RuntimeException e) {
      // A parser that stumbled over hostile bytes. TLS engines treat an unchecked exception as a
      // defect of ours, not as a bad certificate.
      rejected.increment();
      throw new PeerRejectedException(
          PeerRejection.PARSE, null, "a certificate cannot be interpreted", e);
    }
  }

  /**
   * Asks whether a verified peer is one that we want.
   *
   * @throws PeerRejectedException if not, or if the authorizer fails
   */
  public static void authorize(PeerSvid peer, PeerAuthorizer authorizer)
      throws PeerRejectedException {
    boolean wanted;
    try {
      wanted = authorizer.authorize(peer.id());
    } catch (RuntimeException e) {
      throw new PeerRejectedException(
          PeerRejection.NOT_AUTHORIZED, peer.id(), "the authorizer failed", e);
    }
    if (!wanted) {
      throw new PeerRejectedException(
          PeerRejection.NOT_AUTHORIZED, peer.id(), "expected " + authorizer, null);
    }
  }

  /** What this validator did so far. */
  public Statistics statistics() {
    return new Statistics(
        cacheHits.sum(), pathSearches.sum(), rejected.sum(), keyUsageNotCritical.sum());
  }

  int cachedChains() {
    return verified.size();
  }

  private PeerSvid validated(
      Certificate @Nullable [] presented, TrustBundles bundles, PeerRole role)
      throws PeerRejectedException {
    PresentedChain chain = PresentedChain.of(presented);
    ByteBuffer digest = chain.digest(role);
    VerifiedChains known = verifiedUnder(bundles);
    Validity validity = new Validity(clock.instant(), rules.clockTolerance());
    VerifiedChains.Entry hit = known.find(digest);
    if (hit != null) {
      if (!validity.now().isAfter(hit.notAfter()) && validity.hasBegun(hit.notBefore())) {
        cacheHits.increment();
        return hit.peer();
      }
      // Out of its time: the long way finds out which certificate it is.
      known.remove(digest);
    }
    VerifiedChains.Entry entry = search(chain.parse(), bundles, role, validity);
    known.put(digest, entry);
    return entry.peer();
  }

  /** The cache for these bundles; a change of content empties it. */
  private VerifiedChains verifiedUnder(TrustBundles bundles) {
    VerifiedChains held = verified;
    if (held.areUnder(bundles)) {
      return held;
    }
    // Two threads may both replace it; whoever loses only loses cached results.
    VerifiedChains replacement = new VerifiedChains(bundles, CACHED_CHAINS);
    verified = replacement;
    return replacement;
  }

  private VerifiedChains.Entry search(
      List<X509Certificate> chain, TrustBundles bundles, PeerRole role, Validity validity)
      throws PeerRejectedException {
    X509Certificate leaf = chain.get(0);
    SpiffeId id = LeafRules.check(leaf, role, rules.purposes());
    Set<X509Certificate> anchors =
        bundles.find(id.trustDomain()).map(TrustBundle::anchors).orElse(Set.of());
    if (anchors.isEmpty()) {
      throw new PeerRejectedException(
          PeerRejection.NO_BUNDLE, id, "no trust anchors for " + id.trustDomain(), null);
    }
    List<X509Certificate> others = chain.subList(1, chain.size());
    if (!validity.hasBegun(leaf)) {
      suspectOwnClock(id, leaf, others, anchors, validity);
    }
    validity.check(leaf, id, "the leaf");
    pathSearches.increment();
    TrustPath path = TrustPath.find(leaf, others, anchors, validity).orElse(null);
    if (path == null) {
      throw new PathDiagnosis(id, leaf, others, anchors, validity).explain();
    }
    if (!leaf.getCriticalExtensionOIDs().contains(LeafRules.KEY_USAGE_OID)) {
      keyUsageNotCritical.increment();
    }
    PeerSvid peer = new PeerSvid(id, chain, leaf.getNotAfter().toInstant());
    return new VerifiedChains.Entry(peer, path.notBefore(), path.notAfter());
  }

  private void suspectOwnClock(
      SpiffeId id,
      X509Certificate leaf,
      List<X509Certificate> others,
      Set<X509Certificate> anchors,
      Validity validity) {
    Validity later = new Validity(leaf.getNotBefore().toInstant(), validity.tolerance());
    // Only who is good otherwise counts, so that strangers cannot raise the alarm.
    boolean good = TrustPath.find(leaf, others, anchors, later).isPresent();
    if (good && clockSuspicion.isRaisedBy(id, validity.now())) {
      LOG.warn(
          "the clock of this machine seems to be behind: it says {}, and several peers within a"
              + " minute had certificates that are not valid yet, the last one {}",
          validity.now(),
          id);
    }
  }
}
