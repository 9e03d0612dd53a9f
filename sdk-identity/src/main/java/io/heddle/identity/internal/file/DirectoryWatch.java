// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.file;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that something happened in a few directories. What happened does not matter: the
 * publication of a Kubernetes volume causes no event with the name of a file in it.
 *
 * <p>A hint only. Network file systems, mounts of single files and links into other directories
 * cause no events, so whoever uses this polls as well. Confined to one thread.
 */
final class DirectoryWatch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DirectoryWatch.class);

  /** A directory in which something happens all the time is read at this pace. */
  private static final int MOST_SETTLING = 20;

  private final Set<Path> directories;
  private final @Nullable WatchService service;
  private final Map<Path, Watched> watched = new HashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private boolean complete;

  /** The identity of the directory is kept, because a path can come to mean another one. */
  private record Watched(WatchKey key, @Nullable Object identity) {}

  DirectoryWatch(Set<Path> directories) {
    this.directories = Set.copyOf(directories);
    this.service = newService();
  }

  private static @Nullable WatchService newService() {
    try {
      return FileSystems.getDefault().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      log.info("directories cannot be watched here ({}); files are polled only", e.toString());
      return null;
    }
  }

  /** Registers each directory that is not watched, or no longer is the one that was registered. */
  void register() {
    complete = service != null;
    if (service != null) {
      for (Path directory : directories) {
        try {
          register(directory, service);
        } catch (IOException e) {
          // Missing just now, or no watches left: polling goes on, and so do the attempts.
          complete = false;
          watched.remove(directory);
          log.debug("{} cannot be watched", directory, e);
        }
      }
    }
  }

  private void register(Path directory, WatchService watches) throws IOException {
    Object identity = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    Watched before = watched.get(directory);
    if (before != null && before.key.isValid() && Objects.equals(before.identity, identity)) {
      return;
    }
    if (before != null) {
      before.key.cancel();
    }
    WatchKey key =
        directory.register(
            watches,
            StandardWatchEventKinds.ENTRY_CREATE,
            StandardWatchEventKinds.ENTRY_MODIFY,
            StandardWatchEventKinds.ENTRY_DELETE);
    watched.put(directory, new Watched(key, identity));
  }

  /** Whether every directory is watched; if not, one should look more often. */
  boolean isComplete() {
    return complete;
  }

  /** Waits until something happens, at most so long; says whether it did. */
  boolean await(Duration timeout) throws InterruptedException {
    if (service == null) {
      closing.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return false;
    }
    WatchKey key = service.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
    if (key == null) {
      return false;
    }
    drain(key);
    return true;
  }

  /** Waits until nothing has happened for {@code quiet}: producers write several files in a row. */
  void settle(Duration quiet) throws InterruptedException {
    int rounds = 0;
    while (rounds < MOST_SETTLING && await(quiet)) {
      rounds++;
    }
  }

  private static void drain(WatchKey key) {
    key.pollEvents();
    // An invalid key shows at the next registration.
    key.reset();
  }

  @Override
  public void close() {
    closing.countDown();
    if (service != null) {
      try {
        service.close();
      } catch (IOException e) {
        log.debug("closing a watch service failed", e);
      }
    }
  }
}
