// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.simple.SimpleLoggerFactory;

class LogLevelsTest {

  private final LoggerContext logback = new LoggerContext();
  private final LogLevels levels = new LogLevels(LogBackend.of(logback));

  @Test
  @DisplayName("APP-08 a bare level is the mesh's own")
  void bareLevel() {
    levels.set("debug");

    assertThat(logback.getLogger("io.heddle").getLevel()).isEqualTo(Level.DEBUG);
    assertThat(levels.describe()).isEqualTo("io.heddle=DEBUG");
  }

  @Test
  @DisplayName("APP-08 several loggers get levels at once")
  void severalLoggers() {
    levels.set("io.heddle.access=trace, io.netty = off");

    assertThat(logback.getLogger("io.heddle.access").getLevel()).isEqualTo(Level.TRACE);
    assertThat(logback.getLogger("io.netty").getLevel()).isEqualTo(Level.OFF);
    assertThat(levels.describe())
        .isEqualTo("io.heddle=INHERITED,io.heddle.access=TRACE,io.netty=OFF");
  }

  @ParameterizedTest(name = "APP-08 invalid level {0} is refused, and nothing is changed")
  @ValueSource(strings = {"loud", "", "io.netty=debug,io.heddle=", "=debug", "debug,loud"})
  void invalid(String text) {
    assertThatThrownBy(() -> levels.set(text)).isInstanceOf(IllegalArgumentException.class);

    assertThat(logback.getLogger("io.netty").getLevel()).isNull();
    assertThat(logback.getLogger("io.heddle").getLevel()).isNull();
  }

  @Test
  @DisplayName("a reset puts back what was before the first change")
  void reset() {
    logback.getLogger("io.heddle").setLevel(Level.WARN);
    levels.set("debug,io.netty=info");
    levels.set("trace");

    levels.reset();

    assertThat(logback.getLogger("io.heddle").getLevel()).isEqualTo(Level.WARN);
    assertThat(logback.getLogger("io.netty").getLevel()).isNull();
  }

  @Test
  @DisplayName("java.util.logging has its own names for the same levels")
  void jdk() {
    LogLevels jdk = new LogLevels(new JdkLogBackend());
    Logger logger = Logger.getLogger("io.heddle");

    jdk.set("debug");
    assertThat(logger.getLevel()).isEqualTo(java.util.logging.Level.FINE);
    assertThat(jdk.describe()).isEqualTo("io.heddle=DEBUG");

    jdk.reset();
    assertThat(logger.getLevel()).isNull();
  }

  @Test
  @DisplayName("a backend whose levels cannot be changed is named")
  void fixed() {
    LogLevels fixed = new LogLevels(LogBackend.of(new SimpleLoggerFactory()));

    assertThatThrownBy(() -> fixed.set("debug"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("SimpleLoggerFactory");
  }
}
