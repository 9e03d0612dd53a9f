// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.file;

import io.heddle.identity.IdentityException;
import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.internal.pem.PemException;
import io.heddle.identity.internal.pem.PemIdentity;
import io.heddle.identity.internal.rotation.ExpiryAlarm;
import io.heddle.identity.internal.rotation.PublishedIdentity;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link PublishedIdentity} equal to a set of files.
 *
 * <p>Files that do not fit together are usually about to: a producer writes one after the other. So
 * a bad set is read again soon and often, and only when it stays bad is anybody told. Whatever the
 * files become, the last good set stays published. Confined to one thread after {@link
 * #startHere()}.
 */
public final class FileReload implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(FileReload.class);

  private static final Duration FIRST_RETRY = Duration.ofMillis(50);
  private static final Duration LAST_RETRY = Duration.ofSeconds(2);
  private static final Duration SHORTEST_POLL = Duration.ofSeconds(1);

  private final String source;
  private final PublishedIdentity identity;
  private final FileReader reader;
  private final DirectoryWatch watch;
  private final Timing timing;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final ExpiryAlarm alarm = new ExpiryAlarm(1 / 3.0, 0.1, 0);
  private final AtomicInteger skippedRoots = new AtomicInteger();
  private final Thread thread;

  private byte[] lastGood = {};
  private int failures;
  private long failingSince;
  private boolean told;
  private volatile boolean closed;

  /**
   * How patient the loop is.
   *
   * @param poll how often files are read although nothing was noticed
   * @param quiet how long a directory must be quiet before files are read
   * @param patience how long a bad set of files may last before it is reported
   */
  public record Timing(Duration poll, Duration quiet, Duration patience) {}

  /**
   * A loop that has not started.
   *
   * @param source what the source is called in messages
   * @param identity where results go
   * @param files what is watched
   * @param reader reads them
   * @param timing how patient to be
   * @param clock the wall clock by which certificates expire
   * @param nanoTime the monotonic clock by which patience is measured
   */
  public FileReload(
      String source,
      PublishedIdentity identity,
      CertificateFiles files,
      FileReader reader,
      Timing timing,
      Clock clock,
      LongSupplier nanoTime) {
    this.source = source;
    this.identity = identity;
    this.reader = reader;
    this.timing = timing;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.watch = new DirectoryWatch(files.directories());
    this.thread = new Thread(this::run, "heddle-identity-files");
    thread.setDaemon(true);
  }

  /** Reads once on the calling thread, then goes on in the loop's own. */
  public void startHere() {
    watch.register();
    reload();
    thread.start();
  }

  /** How many certificates among the roots could not be read the last time. */
  public int skippedRoots() {
    return skippedRoots.get();
  }

  /** Stops the loop; its thread and descriptors go away at once. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void run() {
    try (watch) {
      while (!closed) {
        if (watch.await(untilNextReading())) {
          watch.settle(timing.quiet());
        }
        // Registered before the files are read: a change in between is noticed, not lost.
        watch.register();
        reload();
      }
    } catch (InterruptedException e) {
      log.debug("{}: stopped", source);
    }
  }

  private Duration untilNextReading() {
    if (failures > 0 && !isOutOfPatience()) {
      long factor = 1L << Math.min(failures - 1, 10);
      return shorter(FIRST_RETRY.multipliedBy(factor), LAST_RETRY);
    }
    Duration poll = timing.poll();
    IdentitySnapshot held = identity.held();
    if (held != null) {
      Duration halfOfRest = Duration.between(clock.instant(), held.svid().notAfter()).dividedBy(2);
      poll = shorter(poll, longer(halfOfRest, SHORTEST_POLL));
    }
    return watch.isComplete() ? poll : shorter(poll, LAST_RETRY);
  }

  private void reload() {
    try (FileContents contents = reader.read()) {
      byte[] digest = contents.digest();
      if (MessageDigest.isEqual(digest, lastGood)) {
        identity.recovered();
      } else {
        adopt(PemIdentity.read(contents.key(), contents.chain(), contents.roots()));
        lastGood = digest;
      }
      recovered();
    } catch (IOException | PemException | IdentityException e) {
      if (!closed) {
        failed(e);
      }
    } catch (RuntimeException e) {
      // The border of the thread: an unforeseen failure must not end the watching.
      failed(e);
    }
    alarm();
  }

  private void adopt(PemIdentity read) {
    if (identity.offer(read.svid(), read.bundles()) == PublishedIdentity.Outcome.STALE) {
      throw new IdentityException.SourceFailed(
          "the files hold a certificate that expired at "
              + read.svid().notAfter()
              + ", earlier than the one in use; compare the clocks of this machine and of whatever"
              + " writes the files",
          null);
    }
    skippedRoots.set(read.skippedRoots());
    if (read.skippedRoots() > 0) {
      log.warn(
          "{}: roots that cannot be read, and so are not trusted: {}", source, read.skippedRoots());
    }
  }

  private void recovered() {
    if (told) {
      log.info("{}: the files are good again", source);
    }
    failures = 0;
    told = false;
  }

  private void failed(Exception error) {
    if (failures++ == 0) {
      failingSince = nanoTime.getAsLong();
    }
    boolean outOfPatience = isOutOfPatience();
    log.debug("{}: reading the files failed", source, error);
    if (outOfPatience || identity.held() == null) {
      identity.failed(error);
    }
    if (outOfPatience && !told) {
      told = true;
      log.warn("{}: the files cannot be used; {}: {}", source, kept(), error.getMessage());
    }
  }

  private String kept() {
    IdentitySnapshot held = identity.held();
    return held == null
        ? "there is no identity until they are good"
        : "the certificate read before stays in use until " + held.svid().notAfter();
  }

  private boolean isOutOfPatience() {
    return nanoTime.getAsLong() - failingSince >= timing.patience().toNanos();
  }

  /**
   * Unlike an issuer that we ask, files are renewed by somebody else: all we can do is speak up.
   */
  private void alarm() {
    @Nullable IdentitySnapshot held = identity.held();
    if (held != null && alarm.isDue(held, clock.instant())) {
      log.warn(
          "{}: the certificate ends at {} and nobody has replaced the files",
          source,
          held.svid().notAfter());
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
