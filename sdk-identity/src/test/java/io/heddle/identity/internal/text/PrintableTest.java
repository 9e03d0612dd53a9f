// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PrintableTest {

  @Test
  @DisplayName("plain text stays as it is")
  void plain() {
    assertThat(Printable.escape("spiffe://t/a b~")).isEqualTo("spiffe://t/a b~");
  }

  @Test
  @DisplayName("control characters, non-ASCII and the backslash are escaped")
  void escaped() {
    assertThat(Printable.escape("a\nb\0\u001B[31m\u00E4\u202E\\"))
        .isEqualTo("a\\u000Ab\\u0000\\u001B[31m\\u00E4\\u202E\\\\");
  }

  @Test
  @DisplayName("long text is cut, and says how long it was")
  void cut() {
    assertThat(Printable.escape("x".repeat(5000)))
        .hasSizeLessThan(300)
        .endsWith("... (5000 characters)");
  }
}
