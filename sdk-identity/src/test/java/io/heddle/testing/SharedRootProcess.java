// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import io.heddle.identity.DevelopmentCa;
import io.heddle.identity.TrustDomain;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Another JVM that opens the shared development root of a directory. */
public final class SharedRootProcess {

  private final Process process;

  private SharedRootProcess(Process process) {
    this.process = process;
  }

  /** Starts the process and does not wait for it. */
  public static SharedRootProcess start(Path directory, TrustDomain trustDomain)
      throws IOException {
    return new SharedRootProcess(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SharedRootProcess.class.getName(),
                directory.toString(),
                trustDomain.name())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** Waits for the end of the process, and gives the serial number of the root it saw. */
  public String serialOfRoot() throws IOException, InterruptedException {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String line = output.readLine();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      return String.valueOf(line);
    }
  }

  /** Prints the serial number of the root. */
  public static void main(String[] arguments) {
    DevelopmentCa ca =
        DevelopmentCa.builder(TrustDomain.parse(arguments[1]))
            .environment(Map.of())
            .sharedIn(Path.of(arguments[0]))
            .build();
    System.out.println(ca.bundle().anchors().iterator().next().getSerialNumber().toString(16));
  }
}
