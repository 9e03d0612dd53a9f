// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import io.heddle.hbone.rig.Await;
import io.heddle.testing.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** An Envoy process with a static configuration; all its ports are the system's choice. */
final class Envoy implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final Path directory;
  private final Process process;
  private final String admin;

  private Envoy(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
    Path address = directory.resolve("admin.txt");
    Await.until(
        "Envoy to start; " + directory, () -> !process.isAlive() || !read(address).isEmpty());
    this.admin = read(address);
    Await.until("Envoy to be ready", () -> !process.isAlive() || get("/ready").startsWith("LIVE"));
  }

  /**
   * Starts an Envoy.
   *
   * @param directory where it finds certificates, and leaves its log
   * @param template a resource of this package's folder
   * @param values what replaces each {@code ${name}} of the template
   */
  static Envoy start(Path directory, String template, Map<String, Object> values)
      throws IOException {
    String configuration = resource(template);
    for (Map.Entry<String, Object> value : values.entrySet()) {
      configuration =
          configuration.replace("${" + value.getKey() + "}", value.getValue().toString());
    }
    Path file = Files.writeString(directory.resolve("envoy.yaml"), configuration);
    Process process =
        new ProcessBuilder(
                Programs.get("envoy").toString(),
                "--config-path",
                file.toString(),
                "--admin-address-path",
                directory.resolve("admin.txt").toString(),
                "--log-path",
                directory.resolve("envoy.log").toString(),
                "--file-flush-interval-msec",
                "50",
                "--drain-time-s",
                "3",
                "--drain-strategy",
                "immediate",
                "--concurrency",
                "1",
                "--disable-hot-restart")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output.txt").toFile())
            .start();
    try {
      return new Envoy(directory, process);
    } catch (AssertionError | RuntimeException e) {
      process.destroyForcibly();
      throw new IllegalStateException(read(directory.resolve("output.txt")), e);
    }
  }

  private static String resource(String name) throws IOException {
    try (var stream = Envoy.class.getResourceAsStream("/interop/" + name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the listener of that name listens. */
  InetSocketAddress listener(String name) {
    String start = name + "::";
    String address =
        get("/listeners")
            .lines()
            .filter(line -> line.startsWith(start))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no listener " + name));
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** A counter or gauge; 0 when Envoy has not made it yet. */
  long stat(String name) {
    String start = name + ": ";
    return get("/stats")
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToLong(line -> Long.parseLong(line.substring(start.length())))
        .sum();
  }

  /** Stops taking connections in a few seconds, and says so on the ones there are. */
  void drainListeners() {
    send("POST", "/drain_listeners?graceful");
  }

  /** Waits for a line of the access log. */
  String awaitAccess(Predicate<String> wanted) {
    Path log = directory.resolve("access.log");
    Await.until("a line in " + log, () -> read(log).lines().anyMatch(wanted));
    return read(log).lines().filter(wanted).findFirst().orElseThrow();
  }

  int descriptors() {
    return Path.of("/proc", Long.toString(process.pid()), "fd").toFile().list().length;
  }

  /** The process runs no more, and its sockets stay open: a hung peer. */
  void freeze() throws Exception {
    signal("STOP");
  }

  void thaw() throws Exception {
    signal("CONT");
  }

  private void signal(String name) throws Exception {
    String pid = Long.toString(process.pid());
    if (new ProcessBuilder("kill", "-" + name, pid).start().waitFor() != 0) {
      throw new AssertionError("Envoy is gone");
    }
  }

  private String get(String path) {
    return send("GET", path);
  }

  private String send(String method, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + admin + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .timeout(Duration.ofSeconds(10))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
