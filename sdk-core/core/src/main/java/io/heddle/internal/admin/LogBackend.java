// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import org.slf4j.ILoggerFactory;

/** What writes the log, as far as levels go. Levels are SLF4J's names, or one of two words. */
interface LogBackend {

  /** Nothing is written. */
  String OFF = "OFF";

  /** The logger has no level of its own. */
  String INHERITED = "INHERITED";

  /**
   * The level that a logger was given, or {@link #INHERITED}.
   *
   * @throws UnsupportedOperationException if levels cannot be asked for
   */
  String level(String logger);

  /**
   * Gives a logger a level, or takes it away by {@link #INHERITED}.
   *
   * @throws UnsupportedOperationException if levels cannot be changed
   */
  void set(String logger, String level);

  /** The backend behind SLF4J. */
  static LogBackend of(ILoggerFactory factory) {
    String type = factory.getClass().getName();
    return switch (type) {
      case "org.slf4j.jul.JDK14LoggerFactory" -> new JdkLogBackend();
      case "ch.qos.logback.classic.LoggerContext" -> new LogbackBackend(factory);
      default -> new FixedLogBackend(type);
    };
  }
}
