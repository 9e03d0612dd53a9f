// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

/** A text that is not an {@link Authority}. */
public final class InvalidAuthorityException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 80;

  InvalidAuthorityException(String text, String reason) {
    super("authority \"" + shown(text) + "\": " + reason);
  }

  /** The text comes from a peer: it is cut, and its control characters do not reach a log. */
  private static String shown(String text) {
    String cut = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    return cut.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
