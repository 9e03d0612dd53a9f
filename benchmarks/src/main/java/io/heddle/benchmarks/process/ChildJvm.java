// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a process is started that has this one's JVM, class path and flags. */
public final class ChildJvm {

  private ChildJvm() {}

  /**
   * Prepares a process.
   *
   * @param flags of the JVM, which come after this one's and so win
   * @param main has the {@code main} method
   * @param arguments of that
   */
  public static ProcessBuilder of(List<String> flags, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(flags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }
}
