// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** {@code java.util.logging}, with its levels in SLF4J's words. */
final class JdkLogBackend implements LogBackend {

  private static final Map<String, Level> LEVELS =
      Map.of(
          OFF,
          Level.OFF,
          "ERROR",
          Level.SEVERE,
          "WARN",
          Level.WARNING,
          "INFO",
          Level.INFO,
          "DEBUG",
          Level.FINE,
          "TRACE",
          Level.FINEST);

  /** The JDK forgets loggers that nobody refers to, and their levels with them. */
  private final Map<String, Logger> held = new ConcurrentHashMap<>();

  @Override
  public String level(String logger) {
    Level level = logger(logger).getLevel();
    if (level == null) {
      return INHERITED;
    }
    return LEVELS.entrySet().stream()
        .filter(known -> known.getValue().equals(level))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(level.getName());
  }

  @Override
  public void set(String logger, String level) {
    Level known = LEVELS.get(level);
    logger(logger).setLevel(known != null || level.equals(INHERITED) ? known : Level.parse(level));
  }

  private Logger logger(String name) {
    return held.computeIfAbsent(name, Logger::getLogger);
  }
}
