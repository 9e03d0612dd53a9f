// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when one file holds something else than before. The directory is watched, because a
 * Kubernetes volume swaps a link and never touches the file; the file is compared besides every
 * half minute. A file that is missing or empty has not changed: its producer is at work.
 *
 * <p>Costs one daemon thread, and one of the JDK's for the watching.
 */
public final class FileChanges implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FileChanges.class);

  private static final Duration POLL = Duration.ofSeconds(30);

  private final Path file;
  private final Duration quiet;
  private final Runnable listener;
  private final DirectoryWatch watch;
  private final Thread thread;
  private byte @Nullable [] known;
  private volatile boolean closed;

  /**
   * A watch that has not started.
   *
   * @param file whose contents count
   * @param quiet how long its directory must be quiet before it is read
   * @param listener told of every change, on the thread of the watch
   */
  public FileChanges(Path file, Duration quiet, Runnable listener) {
    this.file = file.toAbsolutePath();
    this.quiet = quiet;
    this.listener = listener;
    Path directory = this.file.getParent();
    this.watch = new DirectoryWatch(directory == null ? Set.of() : Set.of(directory));
    this.thread = new Thread(this::run, "heddle-identity-roots");
    thread.setDaemon(true);
  }

  /** Notes what the file holds now, and watches from here on. */
  public void start() {
    watch.register();
    known = read();
    thread.start();
  }

  /** Ends the thread; a listener that is being told finishes. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void run() {
    try (watch) {
      while (!closed) {
        if (watch.await(POLL)) {
          watch.settle(quiet);
        }
        // Registered before the file is read: a change in between is noticed, not lost.
        watch.register();
        compare();
      }
    } catch (InterruptedException e) {
      LOG.debug("{} is no longer watched", file);
    }
  }

  private void compare() {
    byte[] now = read();
    if (now == null || now.length == 0 || Arrays.equals(now, known)) {
      return;
    }
    boolean first = known == null || known.length == 0;
    known = now;
    LOG.info("{} has {}", file, first ? "appeared" : "changed");
    try {
      listener.run();
    } catch (RuntimeException e) {
      // The border of the thread: a listener's failure must not end the watching.
      LOG.warn("{} has changed, and whoever was told failed", file, e);
    }
  }

  private byte @Nullable [] read() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      LOG.debug("{} cannot be read", file, e);
      return null;
    }
  }
}
