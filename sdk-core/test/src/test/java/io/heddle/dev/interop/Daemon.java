// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A server of another project as a child process. */
final class Daemon implements AutoCloseable {

  private static final long START_SECONDS = 90;
  private static final long STOP_SECONDS = 10;
  private static final int LINES_SHOWN = 30;

  private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String name;
  private final Path log;
  private final Process process;

  private Daemon(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts a program and waits until it is ready.
   *
   * @param directory where it runs, and leaves its log
   * @param command the program with its arguments
   * @param environment what is added to this process's own
   * @param ready asked again and again
   */
  static Daemon start(
      Path directory, List<String> command, Map<String, String> environment, BooleanSupplier ready)
      throws IOException {
    String name = Path.of(command.get(0)).getFileName().toString();
    Path log = directory.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    Daemon daemon = new Daemon(name, log, builder.start());
    try {
      daemon.await(ready);
    } catch (RuntimeException | Error e) {
      daemon.close();
      throw e;
    }
    return daemon;
  }

  /** Whether a GET of that URI is answered by 200. */
  static boolean answers(URI uri) {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(PROBE_LIMIT).build();
    try {
      return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException notListening) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void await(BooleanSupplier ready) {
    long start = System.nanoTime();
    while (!ready.getAsBoolean()) {
      boolean late = System.nanoTime() - start > TimeUnit.SECONDS.toNanos(START_SECONDS);
      if (late || !process.isAlive()) {
        throw new IllegalStateException(
            name + (late ? " is not ready after " + START_SECONDS + " s" : " ended") + tail());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      int from = Math.max(0, lines.size() - LINES_SHOWN);
      return "; the end of its log:\n" + String.join("\n", lines.subList(from, lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
