// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.idle;

import io.heddle.benchmarks.process.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An {@link IdleProcess} as its parent sees it; runs with the parent's own JVM flags. */
final class IdleEnd implements AutoCloseable {

  private static final int PATIENCE_SECONDS = 10;

  private final String role;
  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter orders;

  IdleEnd(String role, Path authority) throws IOException {
    this.role = role;
    // Tunnels that end with a process are no news.
    List<String> quiet = List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    process =
        ChildJvm.of(quiet, IdleProcess.class, List.of(role, authority.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    answers = process.inputReader(StandardCharsets.UTF_8);
    orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    answer();
  }

  void open(int tunnels) throws IOException {
    orders.println("open " + tunnels);
    answer();
  }

  MemoryUse measure() throws IOException {
    orders.println("measure");
    String[] bytes = answer().split(" ", -1);
    return new MemoryUse(Long.parseLong(bytes[0]), Long.parseLong(bytes[1]));
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the " + role + "'s process of idle tunnels has ended");
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    orders.close();
    answers.close();
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
