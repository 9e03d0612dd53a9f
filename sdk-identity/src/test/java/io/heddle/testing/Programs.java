// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Programs of other projects that tests run as peers. The program {@code envoy} is the file that
 * {@code -Dheddle.envoy} names, else the one that {@code HEDDLE_ENVOY} names, else the one on the
 * {@code PATH}.
 */
public final class Programs {

  private Programs() {}

  /** The program, when there is one. */
  public static Optional<Path> find(String name) {
    String named = System.getProperty(property(name), System.getenv(variable(name)));
    if (named != null && !named.isEmpty()) {
      return Optional.of(Path.of(named)).filter(Files::isExecutable);
    }
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
        .map(directory -> Path.of(directory, name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /** The program, for a test that requires it. */
  public static Path get(String name) {
    return find(name).orElseThrow(() -> new IllegalStateException(howToName(name)));
  }

  /** What is missing first, in one line; empty when all the programs are there. */
  static Optional<String> missing(String... names) {
    return Stream.of(names)
        .filter(name -> find(name).isEmpty())
        .findFirst()
        .map(Programs::howToName);
  }

  private static String howToName(String name) {
    return String.format(
        "no program %s on the PATH, nor named by -D%s or %s", name, property(name), variable(name));
  }

  private static String property(String name) {
    return "heddle." + name;
  }

  private static String variable(String name) {
    return "HEDDLE_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
