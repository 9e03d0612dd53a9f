// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.testing.CapturedLog;
import io.heddle.testing.Eventually;
import java.lang.reflect.Field;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The access log while this is open; tests are silent about it otherwise. */
final class AccessLines implements AutoCloseable {

  private static final Logger ACCESS = LoggerFactory.getLogger("access");

  private final int before = level(Level.INFO.toInt());
  private final CapturedLog log = new CapturedLog();

  /** The first line with all of the given parts, now or soon. */
  String await(String... parts) throws InterruptedException {
    Eventually.holds("a line with " + List.of(parts), () -> find(parts) != null);
    return find(parts);
  }

  private String find(String... parts) {
    return log.lines().stream()
        .filter(line -> List.of(parts).stream().allMatch(line::contains))
        .findFirst()
        .orElse(null);
  }

  @Override
  public void close() {
    log.close();
    level(before);
  }

  /** The simple logger reads its level once, when it is made. */
  private static int level(int level) {
    try {
      Field current = ACCESS.getClass().getDeclaredField("currentLogLevel");
      current.setAccessible(true);
      int former = current.getInt(ACCESS);
      current.setInt(ACCESS, level);
      return former;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
