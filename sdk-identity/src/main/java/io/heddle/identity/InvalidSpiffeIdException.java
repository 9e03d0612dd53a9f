// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import io.heddle.identity.internal.text.Printable;

/** Text that should be a SPIFFE ID or a trust domain, and is neither; says which rule it breaks. */
public final class InvalidSpiffeIdException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** The rule that was broken. */
  private final Reason reason;

  /** The rules of the SPIFFE ID standard, section 2. */
  public enum Reason {
    /** There is no text at all. */
    EMPTY("is empty"),
    /** More than 2048 bytes. */
    TOO_LONG("is longer than 2048 bytes"),
    /** Does not begin with exactly {@code spiffe://}. */
    WRONG_SCHEME("does not begin with spiffe://"),
    /** Nothing stands where the trust domain should be. */
    NO_TRUST_DOMAIN("has no trust domain"),
    /** The trust domain holds a byte outside {@code a-z 0-9 . - _}. */
    BAD_TD_CHAR("has a character in its trust domain other than a-z 0-9 . - _"),
    /** The trust domain has more than 255 bytes. */
    TD_TOO_LONG("has a trust domain longer than 255 bytes"),
    /** Two slashes follow each other in the path, or a segment is empty. */
    EMPTY_SEGMENT("has an empty path segment"),
    /** The path ends with a slash. */
    TRAILING_SLASH("ends with a slash"),
    /** A path segment is {@code .} or {@code ..}. */
    DOT_SEGMENT("has a path segment . or .."),
    /** The path holds a byte outside {@code A-Z a-z 0-9 . - _}. */
    BAD_PATH_CHAR("has a character in its path other than A-Z a-z 0-9 . - _");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  InvalidSpiffeIdException(Reason reason, String what, String value) {
    super(what + " '" + Printable.escape(value) + "' " + reason.text);
    this.reason = reason;
  }

  /**
   * Which rule the text breaks.
   *
   * @return the first rule broken, reading from left to right
   */
  public Reason reason() {
    return reason;
  }
}
