// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import java.lang.reflect.Method;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;

/**
 * Logback, of which nothing is on the compile path: an application brings it, or does not.
 *
 * @param context its logger context
 */
record LogbackBackend(ILoggerFactory context) implements LogBackend {

  @Override
  public String level(String logger) {
    try {
      Logger target = context.getLogger(logger);
      Object level = target.getClass().getMethod("getLevel").invoke(target);
      return level == null ? INHERITED : level.toString();
    } catch (ReflectiveOperationException e) {
      throw unlikeLogback(e);
    }
  }

  @Override
  public void set(String logger, String level) {
    try {
      Logger target = context.getLogger(logger);
      Method setter = setter(target.getClass());
      Class<?> levels = setter.getParameterTypes()[0];
      Object value =
          level.equals(INHERITED)
              ? null
              : levels.getMethod("valueOf", String.class).invoke(null, level);
      setter.invoke(target, value);
    } catch (ReflectiveOperationException e) {
      throw unlikeLogback(e);
    }
  }

  private static Method setter(Class<?> logger) throws NoSuchMethodException {
    for (Method method : logger.getMethods()) {
      if (method.getName().equals("setLevel") && method.getParameterCount() == 1) {
        return method;
      }
    }
    throw new NoSuchMethodException(logger + ".setLevel");
  }

  private static UnsupportedOperationException unlikeLogback(ReflectiveOperationException cause) {
    return new UnsupportedOperationException(
        "this Logback has no levels where they are expected; use its own configuration", cause);
  }
}
