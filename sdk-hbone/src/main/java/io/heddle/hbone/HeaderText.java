// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import org.jspecify.annotations.Nullable;

/** What characters the values of HBONE's headers may hold. */
final class HeaderText {
  private HeaderText() {}

  static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  static boolean isBaggageValue(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == ',' || c == ';' || c == '=') {
        return false;
      }
    }
    return true;
  }

  /** Whether the text can be the value of a header field without changing or splitting it. */
  static boolean isFieldValue(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= 0x7f) {
        return false;
      }
    }
    return true;
  }

  static void checkFieldValue(String name, @Nullable String value) {
    if (value != null && !isFieldValue(value)) {
      throw new IllegalArgumentException(name + " holds a character outside printable ASCII");
    }
  }
}
