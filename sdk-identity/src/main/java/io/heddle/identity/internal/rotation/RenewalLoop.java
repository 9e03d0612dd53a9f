// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.X509Svid;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link PublishedIdentity} fresh from an issuer that is asked each time.
 *
 * <p>Deadlines are instants of the wall clock, looked at again at least every minute: timers run on
 * the monotonic clock, which neither a clock step nor a suspended machine moves. One task is
 * outstanding at any time, so the fields need no guard except against {@link #close()}.
 */
public final class RenewalLoop implements AutoCloseable {

  /** The longest time before the wall clock is looked at again. */
  static final Duration LOOK_AGAIN = Duration.ofSeconds(60);

  /** A request that the issuer will not sign is not improved by being repeated. */
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(RenewalLoop.class);

  private static final double[] EACH_TENTH = {0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0};

  /** Without a certificate to count down, one failure in so many is worth a line. */
  private static final int LOG_EVERY = 10;

  private final String source;
  private final PublishedIdentity identity;
  private final Callable<Issued> issuer;
  private final Clock clock;
  private final ScheduledExecutorService scheduler;
  private final RotationSchedule schedule;
  private final RetryBackoff backoff;
  private final ExpiryAlarm alarm = new ExpiryAlarm(EACH_TENTH);

  private Instant plannedFrom;
  private Instant planned;

  private final Object arming = new Object();
  private @Nullable Future<?> task;
  private @Nullable Instant hastened;
  private boolean underWay;
  private boolean closed;

  /** What an issuer answers: both halves of one update. */
  public record Issued(X509Svid svid, TrustBundles bundles) {}

  /**
   * A loop that has not started.
   *
   * @param source what the source is called in messages
   * @param identity where results go
   * @param issuer makes a new key and has it certified; called on a thread of the scheduler
   * @param pace how fast failed attempts are repeated
   * @param clock the wall clock
   * @param scheduler runs the loop; stays the caller's
   * @param random spreads the renewals and retries of this source
   */
  public RenewalLoop(
      String source,
      PublishedIdentity identity,
      Callable<Issued> issuer,
      RetryPace pace,
      Clock clock,
      ScheduledExecutorService scheduler,
      RandomGenerator random) {
    this.source = source;
    this.identity = identity;
    this.issuer = issuer;
    this.clock = clock;
    this.scheduler = scheduler;
    this.schedule = new RotationSchedule(random);
    this.backoff = new RetryBackoff(pace, random);
    this.plannedFrom = clock.instant();
    this.planned = plannedFrom;
  }

  /** Makes the first attempt on the calling thread, which is right where issuing is local. */
  public void startHere() {
    renewAndArm();
  }

  /** Makes the first attempt on the scheduler, which is right where issuing takes a while. */
  public void start() {
    arm(planned);
  }

  /**
   * Renews within so much time, unless that is due earlier anyway: something has become known that
   * the next certificate will reflect. May be called by any thread.
   */
  public void renewWithin(Duration wait) {
    Instant now = clock.instant();
    synchronized (arming) {
      hastened = now.plus(wait);
      // An attempt that is under way arms the loop itself, and takes the new moment then.
      if (task != null && !underWay) {
        task.cancel(false);
        arm(now);
      }
    }
  }

  /** Stops; an attempt that is under way ends without effect. */
  @Override
  public void close() {
    synchronized (arming) {
      closed = true;
      if (task != null) {
        task.cancel(false);
      }
    }
  }

  private void look() {
    Instant now = clock.instant();
    synchronized (arming) {
      underWay = true;
      if (hastened != null && hastened.isBefore(planned)) {
        planned = hastened;
      }
      hastened = null;
    }
    // A clock that stepped back behind the moment of planning makes the plan meaningless.
    boolean steppedBack = now.isBefore(plannedFrom.minus(RotationSchedule.CLOCK_SKEW));
    if (now.isBefore(planned) && !steppedBack) {
      arm(now);
      return;
    }
    renewAndArm();
  }

  private void renewAndArm() {
    // Should even the bookkeeping fail, the loop goes on after a minute.
    plannedFrom = clock.instant();
    planned = plannedFrom.plus(LOOK_AGAIN);
    try {
      renew();
    } finally {
      arm(plannedFrom);
    }
  }

  private void renew() {
    try {
      Issued issued = issuer.call();
      Instant now = clock.instant();
      plannedFrom = now;
      switch (identity.offer(issued.svid(), issued.bundles())) {
        case CLOSED -> {}
        case STALE -> failed(now, new ClockSkewException(issued.svid(), now));
        case ADOPTED, UNCHANGED -> adopted(now, issued.svid());
      }
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      failed(clock.instant(), e);
    }
  }

  private void adopted(Instant now, X509Svid svid) {
    Instant renewAt = schedule.renewAt(now, svid.notBefore(), svid.notAfter());
    if (renewAt.equals(now)) {
      failed(now, new ClockSkewException(svid, now));
      return;
    }
    if (backoff.failures() > 0) {
      log.info("{}: renewed after {} failures", source, backoff.failures());
    }
    backoff.reset();
    Instant soonest = now.plus(schedule.spacing(now, svid.notAfter()));
    planned = renewAt.isBefore(soonest) ? soonest : renewAt;
  }

  private void failed(Instant now, Exception error) {
    if (isClosed()) {
      return;
    }
    identity.failed(error);
    log.debug("{}: renewal failed", source, error);
    IdentitySnapshot held = identity.held();
    Duration remaining =
        held == null ? Duration.ZERO : Duration.between(now, held.svid().notAfter());
    plannedFrom = now;
    planned = now.plus(wait(error, remaining));
    boolean worthALine =
        held == null ? backoff.failures() % LOG_EVERY == 0 : alarm.isDue(held, now);
    if (worthALine || backoff.failures() == 1) {
      log.warn(
          "{}: renewal failed, attempt {}{}: {}",
          source,
          backoff.failures(),
          valid(held),
          error.toString());
    }
  }

  private Duration wait(Exception error, Duration remaining) {
    Duration wait = backoff.next(remaining);
    boolean pointless =
        error instanceof IdentityException.NotIssued refused
            && refused.problem() == IdentityException.NotIssued.Problem.REQUEST_REFUSED;
    return pointless && wait.compareTo(AFTER_REFUSAL) < 0 ? AFTER_REFUSAL : wait;
  }

  private static String valid(@Nullable IdentitySnapshot held) {
    return held == null
        ? "; there is no certificate yet"
        : "; the held certificate is valid until " + held.svid().notAfter();
  }

  private void arm(Instant now) {
    synchronized (arming) {
      underWay = false;
      Instant next = hastened != null && hastened.isBefore(planned) ? hastened : planned;
      Duration wait = Duration.between(now, next);
      Duration bounded = wait.compareTo(LOOK_AGAIN) > 0 ? LOOK_AGAIN : wait;
      if (closed) {
        return;
      }
      try {
        task =
            scheduler.schedule(this::look, Math.max(1, bounded.toMillis()), TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        identity.failed(
            new IdentityException.SourceFailed(
                source
                    + " is no longer renewed: its scheduler has been shut down; pass one that lives"
                    + " as long as the source",
                e));
        log.warn("{}: the scheduler refuses work, so nothing is renewed from now on", source);
      }
    }
  }

  private boolean isClosed() {
    synchronized (arming) {
      return closed;
    }
  }

  /** A certificate that is outside its validity the moment it arrives. */
  private static final class ClockSkewException extends Exception {

    private static final long serialVersionUID = 1L;

    ClockSkewException(X509Svid svid, Instant now) {
      super(
          "the issuer answered with a certificate valid from "
              + svid.notBefore()
              + " to "
              + svid.notAfter()
              + ", but the local clock says "
              + now
              + "; compare the clocks of issuer and this machine");
    }
  }
}
