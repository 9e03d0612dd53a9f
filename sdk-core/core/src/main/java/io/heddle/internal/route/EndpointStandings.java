// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How endpoints have stood the connections of this process: how many each has now, and which have
 * failed to be reached. Only endpoints in use or in trouble are kept. Thread-safe.
 */
public final class EndpointStandings {

  private static final Logger LOG = LoggerFactory.getLogger(EndpointStandings.class);

  /** An ejection doubles up to this many times, so that a pod that came back is soon found. */
  private static final int MOST_DOUBLINGS = 5;

  /** Nothing to be said for or against it. */
  private static final int FIT = 0;

  private static final int EJECTED = 1;
  private static final int AVOIDED = 2;

  private final Balancing balancing;
  private final LongSupplier nanoTime;
  private final ConcurrentMap<String, Standing> byUid = new ConcurrentHashMap<>();

  /**
   * One endpoint.
   *
   * @param active connections, those being made included
   * @param failures dials that failed since the last that did not
   * @param ejections in that time
   * @param ejectedUntil by the monotonic clock; of no meaning without ejections
   */
  private record Standing(int active, int failures, int ejections, long ejectedUntil) {
    static final Standing NEW = new Standing(0, 0, 0, 0);

    Standing withActive(int changed) {
      return new Standing(changed, failures, ejections, ejectedUntil);
    }

    /** Null in the map's sense: an endpoint without a history needs no entry. */
    @Nullable Standing kept() {
      return active == 0 && failures == 0 ? null : this;
    }
  }

  /**
   * Standings without a history.
   *
   * @param balancing what counts
   * @param nanoTime monotonic time in nanoseconds
   */
  public EndpointStandings(Balancing balancing, LongSupplier nanoTime) {
    this.balancing = balancing;
    this.nanoTime = nanoTime;
  }

  /** What counts. */
  public Balancing balancing() {
    return balancing;
  }

  /** How many endpoints are left out at the moment. */
  public long ejected() {
    long now = nanoTime.getAsLong();
    return byUid.values().stream().filter(standing -> isEjected(standing, now)).count();
  }

  /** A connection to an endpoint is begun. */
  public Attempt begin(String uid) {
    byUid.compute(
        uid,
        (key, known) -> {
          Standing before = known == null ? Standing.NEW : known;
          return before.withActive(before.active() + 1);
        });
    return new Attempt(uid);
  }

  /** Whether nothing is known that could change a choice. */
  boolean isBlank() {
    return byUid.isEmpty();
  }

  /** How many connections an endpoint has. */
  int active(String uid) {
    Standing standing = byUid.get(uid);
    return standing == null ? 0 : standing.active();
  }

  /** How unfit an endpoint is: less is better, and the worst is still better than none. */
  int unfitness(String uid, Set<String> avoided) {
    if (avoided.contains(uid)) {
      return AVOIDED;
    }
    Standing standing = byUid.get(uid);
    return standing != null && isEjected(standing, nanoTime.getAsLong()) ? EJECTED : FIT;
  }

  private static boolean isEjected(Standing standing, long now) {
    return standing.ejections() > 0 && standing.ejectedUntil() - now > 0;
  }

  private Standing failed(String uid, Standing before) {
    int failures = before.failures() + 1;
    if (balancing.ejectAfter() == 0 || failures < balancing.ejectAfter()) {
      return new Standing(before.active(), failures, before.ejections(), before.ejectedUntil());
    }
    long now = nanoTime.getAsLong();
    if (isEjected(before, now)) {
      // Others were under way to it when it was ejected.
      return new Standing(before.active(), failures, before.ejections(), before.ejectedUntil());
    }
    long nanos = balancing.ejection().toNanos() << Math.min(before.ejections(), MOST_DOUBLINGS);
    LOG.info("endpoint {} is left out for {} s after {} failed dials", uid, nanos / 1e9, failures);
    return new Standing(before.active(), failures, before.ejections() + 1, now + nanos);
  }

  /** One connection to an endpoint: it fails or succeeds, and a successful one ends. */
  public final class Attempt {

    private final String uid;

    private Attempt(String uid) {
      this.uid = uid;
    }

    /** The endpoint could not be reached, or could not take the connection. */
    public void unreachable() {
      byUid.computeIfPresent(
          uid, (key, before) -> failed(uid, before.withActive(before.active() - 1)).kept());
    }

    /** The connection is established. */
    public void succeeded() {
      Standing known = byUid.get(uid);
      if (known != null && known.failures() > 0) {
        byUid.computeIfPresent(uid, (key, before) -> new Standing(before.active(), 0, 0, 0));
      }
    }

    /** It has ended, or was not made for a reason that says nothing about the endpoint. */
    public void ended() {
      byUid.computeIfPresent(uid, (key, before) -> before.withActive(before.active() - 1).kept());
    }
  }
}
