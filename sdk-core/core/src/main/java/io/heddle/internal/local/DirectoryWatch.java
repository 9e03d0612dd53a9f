// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.RejectedExecutionException;

/**
 * Calls back when anything changes in a directory. Which entry changed does not matter: a mounted
 * ConfigMap changes a link beside the file, never the file.
 */
final class DirectoryWatch implements AutoCloseable {

  private final WatchService watch;
  private final Thread thread;

  private DirectoryWatch(WatchService watch, Thread thread) {
    this.watch = watch;
    this.thread = thread;
  }

  /**
   * Starts to watch.
   *
   * @param onChange called on the watch's own thread
   * @throws IOException if the directory cannot be watched
   */
  static DirectoryWatch start(Path directory, Runnable onChange) throws IOException {
    WatchService watch = directory.getFileSystem().newWatchService();
    try {
      directory.register(
          watch,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
    } catch (IOException unwatchable) {
      watch.close();
      throw unwatchable;
    }
    Thread thread = new Thread(() -> run(watch, onChange), "heddle-local-file");
    thread.setDaemon(true);
    thread.start();
    return new DirectoryWatch(watch, thread);
  }

  private static void run(WatchService watch, Runnable onChange) {
    try {
      boolean valid = true;
      while (valid) {
        WatchKey key = watch.take();
        key.pollEvents();
        onChange.run();
        valid = key.reset();
      }
    } catch (ClosedWatchServiceException | RejectedExecutionException closed) {
      // The watch or its scheduler was closed: nobody listens any more.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the watch and its thread. */
  @Override
  public void close() throws IOException {
    watch.close();
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
