// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.namespaces;

import io.heddle.testing.NetworkNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM on a host of its own, which answers each line with a line. */
final class HostProcess implements AutoCloseable {

  private static final int LIMIT_SECONDS = 30;

  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter questions;

  private HostProcess(Process process) {
    this.process = process;
    answers = process.inputReader(StandardCharsets.UTF_8);
    questions = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /** Starts a program, and waits until it says that it is ready. */
  static HostProcess start(NetworkNamespace host, Class<?> program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    HostProcess started =
        new HostProcess(
            host.command(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    String first = started.answers.readLine();
    if (!"ready".equals(first)) {
      started.close();
      throw new IOException(program.getSimpleName() + " did not start: " + first);
    }
    return started;
  }

  String ask(String... words) throws IOException {
    questions.println(String.join(" ", words));
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the process has ended");
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    questions.close();
    answers.close();
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the process does not end");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    } finally {
      process.destroyForcibly();
    }
  }
}
