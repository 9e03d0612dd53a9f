// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

import org.jspecify.annotations.Nullable;

/** What characters the values of HBONE's headers may hold. */
final class HeaderText {
  private HeaderText() {}

  static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }

  static boolean isBaggageValue(String text) {
    return text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != ',' && c != ';' && c != '=');
  }

  /** Whether the text can be the value of a header field without changing or splitting it. */
  static boolean isFieldValue(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
  }

  static void checkFieldValue(String name, @Nullable String value) {
    if (value != null && !isFieldValue(value)) {
      throw new IllegalArgumentException(name + " holds a character outside printable ASCII");
    }
  }
}
