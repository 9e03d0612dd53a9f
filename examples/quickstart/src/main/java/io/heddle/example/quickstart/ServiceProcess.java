// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service in a JVM of its own. It tells what happens by lines {@code event <name> <text>} on its
 * standard output and takes commands, one a line, on its standard input.
 */
final class ServiceProcess implements AutoCloseable {

  private static final String EVENT = "event ";

  private final String name;
  private final Process process;
  private final PrintWriter commands;
  private final Map<String, BlockingQueue<String>> events = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

  private ServiceProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.commands =
        new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), /* autoFlush= */ true);
  }

  static ServiceProcess start(
      String name, Class<?> main, List<String> args, Map<String, String> environment)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+IgnoreUnrecognizedVMOptions"));
    command.addAll(List.of("-Xmx256m", "--enable-native-access=ALL-UNNAMED"));
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(args);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    ServiceProcess service = new ServiceProcess(name, builder.start());
    Thread reader = new Thread(service::read, name + "-output");
    reader.setDaemon(true);
    reader.start();
    return service;
  }

  String name() {
    return name;
  }

  void send(String command) {
    commands.println(command);
  }

  /** The text of the next event of that name; empty when the time runs out. */
  Optional<String> await(String event, int seconds) throws InterruptedException {
    return Optional.ofNullable(queue(event).poll(seconds, TimeUnit.SECONDS));
  }

  /** How many events of that name there have been. */
  int count(String event) {
    AtomicInteger count = counts.get(event);
    return count == null ? 0 : count.get();
  }

  /** The exit status, or -1 when the time runs out. */
  int awaitExit(int seconds) throws InterruptedException {
    return process.waitFor(seconds, TimeUnit.SECONDS) ? process.exitValue() : -1;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        System.out.printf("%-11s %s%n", name, line.startsWith(EVENT) ? line.substring(6) : line);
        if (line.startsWith(EVENT)) {
          keep(line.substring(EVENT.length()));
        }
        line = lines.readLine();
      }
    } catch (IOException e) {
      System.out.printf("%-11s output ended: %s%n", name, e.getMessage());
    }
  }

  private void keep(String event) {
    String[] parts = event.split(" ", 2);
    counts.computeIfAbsent(parts[0], key -> new AtomicInteger()).incrementAndGet();
    queue(parts[0]).add(parts.length > 1 ? parts[1] : "");
  }

  private BlockingQueue<String> queue(String event) {
    return events.computeIfAbsent(event, key -> new LinkedBlockingQueue<>());
  }
}
