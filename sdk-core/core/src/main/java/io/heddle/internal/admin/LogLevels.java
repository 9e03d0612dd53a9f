// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The levels of loggers, of which the mesh's own are the default. Thread-safe. */
final class LogLevels {

  private static final String OWN = "io.heddle";

  private final LogBackend backend;

  /** What was changed here, with the level before; to be put back by a reset. */
  private final Map<String, String> former = new TreeMap<>();

  LogLevels(LogBackend backend) {
    this.backend = backend;
  }

  static LogLevels ofThisProcess() {
    return new LogLevels(LogBackend.of(LoggerFactory.getILoggerFactory()));
  }

  /**
   * Sets levels: {@code debug} for the mesh, or {@code logger=level,...}.
   *
   * @throws IllegalArgumentException with the reason; nothing is changed then
   * @throws UnsupportedOperationException if the backend has no levels that can be changed
   */
  synchronized void set(String text) {
    Map<String, String> levels = new TreeMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String logger = equals < 0 ? OWN : part.substring(0, equals).trim();
      if (logger.isEmpty()) {
        throw new IllegalArgumentException("'" + part + "' names no logger");
      }
      levels.put(logger, level(part.substring(equals + 1)));
    }
    levels.forEach(
        (logger, level) -> {
          former.putIfAbsent(logger, backend.level(logger));
          backend.set(logger, level);
        });
  }

  /** Puts back what was before the first change. */
  synchronized void reset() {
    former.forEach(backend::set);
    former.clear();
  }

  /** The levels of the mesh and of every logger that was changed here. */
  synchronized String describe() {
    StringBuilder text = new StringBuilder(OWN + "=" + backend.level(OWN));
    for (String logger : former.keySet()) {
      if (!logger.equals(OWN)) {
        text.append(',').append(logger).append('=').append(backend.level(logger));
      }
    }
    return text.toString();
  }

  private static String level(String text) {
    String name = text.trim().toUpperCase(Locale.ROOT);
    if (name.equals(LogBackend.OFF)) {
      return name;
    }
    for (Level known : Level.values()) {
      if (known.name().equals(name)) {
        return name;
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a level: use off, error, warn, info, debug or trace");
  }
}
