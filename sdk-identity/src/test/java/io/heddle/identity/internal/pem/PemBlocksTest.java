// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testing.PemTexts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PemBlocksTest {

  private static final byte[] ONE = {1, 2, 3, 4, 5};
  private static final byte[] TWO = {6, 7, 8, 9};
  private static final String PLAIN = PemTexts.block("ONE", ONE) + PemTexts.block("TWO", TWO);

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "plain",
        "CRLF",
        "CR",
        "byte order mark",
        "text around",
        "no final newline",
        "meeting on one line",
        "trailing blanks",
        "indented body"
      })
  @DisplayName("reads what files in the field look like")
  void laxForms(String form) throws Exception {
    String text =
        switch (form) {
          case "CRLF" -> PLAIN.replace("\n", "\r\n");
          case "CR" -> PLAIN.replace("\n", "\r");
          case "byte order mark" -> "\uFEFF" + PLAIN;
          case "text around" ->
              "subject: CN=x\n"
                  + PLAIN.replace("-----BEGIN TWO", "# a comment\n\n-----BEGIN TWO")
                  + "the end";
          case "no final newline" -> PLAIN.stripTrailing();
          case "meeting on one line" -> PLAIN.replace("ONE-----\n-----BEGIN", "ONE----------BEGIN");
          case "trailing blanks" -> PLAIN.replace("\n", " \t\n");
          case "indented body" -> PLAIN.replace("\nA", "\n  A").replace("\nB", "\n  B");
          default -> PLAIN;
        };

    List<PemBlock> blocks = parse(text);

    assertThat(blocks).extracting(PemBlock::label).containsExactly("ONE", "TWO");
    assertThat(blocks.get(0).der()).isEqualTo(ONE);
    assertThat(blocks.get(1).der()).isEqualTo(TWO);
  }

  @Test
  @DisplayName("long bodies, and lengths of every remainder, survive")
  void lengths() throws Exception {
    for (int length = 0; length < 200; length++) {
      byte[] der = new byte[length];
      for (int i = 0; i < length; i++) {
        der[i] = (byte) (i * 7);
      }
      assertThat(parse(PemTexts.block("X", der)).get(0).der()).isEqualTo(der);
    }
  }

  @Test
  @DisplayName("text without blocks has none")
  void noBlocks() throws Exception {
    assertThat(parse("")).isEmpty();
    assertThat(parse("just words\n-----\n")).isEmpty();
  }

  @Test
  @DisplayName("a block that is cut off is an error, at every length")
  void cutOff() {
    String block = PemTexts.block("ONE", new byte[100]);
    int end = block.indexOf("-----END ONE-----") + "-----END ONE-----".length();
    for (int length = block.indexOf('\n'); length < end; length++) {
      String cut = block.substring(0, length);

      assertThatThrownBy(() -> parse(cut)).isInstanceOf(PemException.class);
    }
  }

  @Test
  @DisplayName("a block that ends under another name, or holds no base64, is an error")
  void malformed() {
    assertThatThrownBy(() -> parse("-----BEGIN A-----\nAAAA\n-----END B-----\n"))
        .isInstanceOf(PemException.class)
        .hasMessageContaining("block A has no END line");
    assertThatThrownBy(() -> parse("-----BEGIN A-----\nA*AA\n-----END A-----\n"))
        .isInstanceOf(PemException.class)
        .hasMessage("block A is not valid base64");
    assertThatThrownBy(() -> parse("-----BEGIN A-----\nAAAAA\n-----END A-----\n"))
        .isInstanceOf(PemException.class)
        .hasMessage("block A is not valid base64");
  }

  private static List<PemBlock> parse(String text) throws PemException {
    return PemBlocks.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
