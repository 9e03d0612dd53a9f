// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The {@code traceparent} header (W3C Trace Context, version 00). One names one tunnel in the logs
 * of both ends; it is not linked to the traces of the application's requests.
 *
 * @param value the 55 characters of the header
 */
public record Traceparent(String value) {
  private static final String FORM = "00-" + "x".repeat(32) + "-" + "x".repeat(16) + "-xx";
  private static final String NO_TRACE = "0".repeat(32);
  private static final String NO_SPAN = "0".repeat(16);

  /**
   * Checks the form.
   *
   * @param value the 55 characters of the header
   */
  public Traceparent {
    if (!isValid(value)) {
      throw new IllegalArgumentException("not a traceparent of version 00");
    }
  }

  /**
   * A new trace, not sampled.
   *
   * @param random the source of the ids
   * @return a traceparent that no other tunnel has
   */
  public static Traceparent random(RandomGenerator random) {
    return new Traceparent(
        "00-"
            + hex(random.nextLong() | 1)
            + hex(random.nextLong())
            + "-"
            + hex(random.nextLong() | 1)
            + "-00");
  }

  /**
   * Reads a header.
   *
   * @param header the value of the header
   * @return the same, or empty when it is not a valid traceparent
   */
  public static Optional<Traceparent> parse(String header) {
    return isValid(header) ? Optional.of(new Traceparent(header)) : Optional.empty();
  }

  /**
   * The id of the trace.
   *
   * @return 32 hexadecimal digits
   */
  public String traceId() {
    return value.substring(3, 35);
  }

  /**
   * The id of the span.
   *
   * @return 16 hexadecimal digits
   */
  public String spanId() {
    return value.substring(36, 52);
  }

  @Override
  public String toString() {
    return value;
  }

  private static boolean isValid(String text) {
    return hasForm(text) && !text.startsWith(NO_TRACE, 3) && !text.startsWith(NO_SPAN, 36);
  }

  private static boolean hasForm(String text) {
    if (text.length() != FORM.length()) {
      return false;
    }
    for (int i = 0; i < FORM.length(); i++) {
      char c = text.charAt(i);
      char expected = FORM.charAt(i);
      if (expected == 'x' ? !isHexDigit(c) : c != expected) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHexDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }

  private static String hex(long bits) {
    String digits = Long.toHexString(bits);
    return NO_SPAN.substring(digits.length()) + digits;
  }
}
