// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.text;

/**
 * Makes text that a stranger chose safe to print: one line, plain ASCII, bounded length. A peer
 * puts what it likes into its certificate, and a newline there must not start a line in our log.
 */
public final class Printable {

  private static final int LIMIT = 256;

  private Printable() {}

  /** Escapes everything outside printable ASCII, and the backslash; shortens to 256 characters. */
  public static String escape(String text) {
    int shown = Math.min(text.length(), LIMIT);
    StringBuilder out = new StringBuilder(shown + 16);
    for (int i = 0; i < shown; i++) {
      appendEscaped(out, text.charAt(i));
    }
    if (text.length() > LIMIT) {
      out.append("... (").append(text.length()).append(" characters)");
    }
    return out.toString();
  }

  private static void appendEscaped(StringBuilder out, char c) {
    if (c == '\\') {
      out.append("\\\\");
    } else if (c >= ' ' && c <= '~') {
      out.append(c);
    } else {
      out.append(String.format("\\u%04X", (int) c));
    }
  }
}
