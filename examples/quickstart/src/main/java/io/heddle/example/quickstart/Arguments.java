// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param config a local file in place of the bundled one
 * @param controlPlane whether a control plane stands between the file and the services
 */
record Arguments(Optional<Path> config, boolean controlPlane) {

  /** Reads the command line, or ends the process with what is wrong with it. */
  static Arguments parse(String[] args) {
    @Nullable Path config = null;
    boolean controlPlane = false;
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--control-plane")) {
        controlPlane = true;
      } else if (args[i].equals("--config") && i + 1 < args.length) {
        i++;
        config = readable(args[i]);
      } else {
        throw refused("unknown arguments; usage: [--config FILE] [--control-plane]");
      }
    }
    return new Arguments(Optional.ofNullable(config), controlPlane);
  }

  private static Path readable(String name) {
    Path file = Path.of(name).toAbsolutePath();
    if (!Files.isReadable(file)) {
      throw refused("--config " + file + ": no such readable file");
    }
    return file;
  }

  private static IllegalArgumentException refused(String problem) {
    System.err.println("quickstart: " + problem);
    System.exit(2);
    return new IllegalArgumentException(problem);
  }
}
