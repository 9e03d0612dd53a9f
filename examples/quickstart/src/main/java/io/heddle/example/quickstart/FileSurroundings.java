// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.example.quickstart;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A local file that all read, and a directory through which they share a development root. */
record FileSurroundings(Path config, Path developmentDirectory) implements Surroundings {

  @Override
  public List<String> arguments() {
    return List.of(config.toString(), developmentDirectory.toString());
  }

  @Override
  public Map<String, String> environment(String workload) {
    return Map.of();
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "mesh configuration " + config;
  }
}
