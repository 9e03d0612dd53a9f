// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.identity.PeerSvid;
import io.heddle.identity.netty.MeshTls;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches one connection grow old: when it should take no more tunnels, and when the first of its
 * two certificates ends, after which nobody would let it be made. Event loop only.
 */
final class ConnectionAge {
  /** Wall clocks are corrected and machines sleep: looks more often than it has to. */
  private static final Duration LONGEST_SLEEP = Duration.ofMinutes(10);

  private final Terms terms;
  private final Clock clock;
  private final EventExecutor loop;
  private final Watched connection;
  private boolean retired;
  private @Nullable Future<?> timer;

  ConnectionAge(Terms terms, Clock clock, EventExecutor loop, Watched connection) {
    this.terms = terms;
    this.clock = clock;
    this.loop = loop;
    this.connection = connection;
  }

  static ConnectionAge of(
      TunnelConnection connection, Environment environment, ChannelHandlerContext ctx) {
    Instant now = environment.clock().instant();
    X509Certificate own = ctx.channel().attr(MeshTls.OWN_CERTIFICATE).get();
    Duration maxAge = environment.settings().maxConnectionAge();
    double chance = environment.chance().getAsDouble();
    Terms terms =
        connection.isServer()
            ? Terms.ofServer(now, own, connection.peer(), maxAge, chance)
            : Terms.ofClient(now, own, connection.peer(), maxAge, chance);
    return new ConnectionAge(terms, environment.clock(), ctx.executor(), connection);
  }

  /** Whom it tells. */
  interface Watched {

    /** No more tunnels, please. */
    void retire();

    /** A certificate has ended. Comes after {@link #retire}. */
    void expired(Terms terms);
  }

  /**
   * When what is due.
   *
   * @param retirement when the connection shall take no more tunnels
   * @param expiry when the first of both certificates ends
   * @param ours whether that one is our own
   */
  record Terms(Instant retirement, Instant expiry, boolean ours) {

    /**
     * The terms of a client, which leaves before it has to: half of what is left, and up to half of
     * that more by chance. With a new certificate that is soon after the half of its life at which
     * it is renewed, and connections made together do not all end together.
     *
     * @param own the certificate of this handshake, or null when it is not known
     * @param maxAge zero for no limit
     * @param chance from 0 to 1
     */
    static Terms ofClient(
        Instant now, @Nullable X509Certificate own, PeerSvid peer, Duration maxAge, double chance) {
      Terms server = ofServer(now, own, peer, maxAge, chance);
      Instant early = now.plus(part(Duration.between(now, server.expiry), 0.5 + chance / 4));
      return new Terms(earlier(early, server.retirement), server.expiry, server.ours);
    }

    /** The terms of a server, which goes on as long as it may. */
    static Terms ofServer(
        Instant now, @Nullable X509Certificate own, PeerSvid peer, Duration maxAge, double chance) {
      Instant ours = own == null ? Instant.MAX : own.getNotAfter().toInstant();
      Instant expiry = earlier(ours, peer.notAfter());
      Instant retirement =
          maxAge.isZero() ? expiry : earlier(expiry, now.plus(part(maxAge, 1 - chance / 10)));
      return new Terms(retirement, expiry, ours.isBefore(peer.notAfter()));
    }

    private static Duration part(Duration whole, double share) {
      return whole.dividedBy(1_000).multipliedBy((long) (share * 1_000));
    }

    private static Instant earlier(Instant one, Instant other) {
      return one.isBefore(other) ? one : other;
    }
  }

  void start() {
    look();
  }

  void stop() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private void look() {
    timer = null;
    Instant now = clock.instant();
    if (!retired && !now.isBefore(terms.retirement())) {
      retired = true;
      connection.retire();
    }
    if (!now.isBefore(terms.expiry())) {
      connection.expired(terms);
      return;
    }
    Duration left = Duration.between(now, retired ? terms.expiry() : terms.retirement());
    long nanos = left.compareTo(LONGEST_SLEEP) < 0 ? left.toNanos() : LONGEST_SLEEP.toNanos();
    timer = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
  }
}
