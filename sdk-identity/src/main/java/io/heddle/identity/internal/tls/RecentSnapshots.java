// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.SvidSource;
import io.heddle.identity.X509Svid;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The identity for connections whose handshakes begin and end without our knowing, because their
 * engines were given away.
 *
 * <p>The alias carries the version of the snapshot that a handshake began with, and a version is
 * kept for a while after it was last asked for, by time and not by count: however fast the identity
 * rotates, chain and key of one handshake are of one version. Peers are judged by the bundles that
 * are current. Safe for any thread.
 */
public final class RecentSnapshots implements KeyChoice, TrustChoice {

  /** Longer than any sane handshake takes. */
  static final Duration RETENTION = Duration.ofSeconds(30);

  /** An SVID in use, and until when it is kept, in nanoseconds of the ticker. */
  private record Kept(X509Svid svid, long until) {}

  private final SvidSource source;
  private final PeerAuthorizer authorizer;
  private final Clock clock;
  private final LongSupplier ticker;
  private final Map<String, Kept> byAlias = new ConcurrentHashMap<>();

  /**
   * The identities of one source.
   *
   * @param source who we are
   * @param authorizer whom to accept
   * @param clock decides whether our own certificate is still worth presenting
   * @param ticker nanoseconds that only grow, for the retention
   */
  public RecentSnapshots(
      SvidSource source, PeerAuthorizer authorizer, Clock clock, LongSupplier ticker) {
    this.source = source;
    this.authorizer = authorizer;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public @Nullable String alias(@Nullable Object connection) {
    IdentitySnapshot snapshot;
    try {
      snapshot = source.current();
    } catch (IdentityException e) {
      return null;
    }
    if (!clock.instant().isBefore(snapshot.svid().notAfter())) {
      return null;
    }
    long now = ticker.getAsLong();
    byAlias.values().removeIf(kept -> kept.until() - now < 0);
    String alias = "svid-" + snapshot.version();
    byAlias.put(alias, new Kept(snapshot.svid(), now + RETENTION.toNanos()));
    return alias;
  }

  @Override
  public @Nullable X509Svid svid(String alias) {
    Kept kept = byAlias.get(alias);
    return kept == null ? null : kept.svid();
  }

  @Override
  public PeerTerms terms(@Nullable Object connection) throws CertificateException {
    try {
      return new PeerTerms(source.current().bundles(), authorizer);
    } catch (IdentityException e) {
      throw new CertificateException("the peer cannot be verified without an own identity", e);
    }
  }

  /** How many SVIDs are held. */
  int size() {
    return byAlias.size();
  }
}
