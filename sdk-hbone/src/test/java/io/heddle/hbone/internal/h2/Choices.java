// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;

/** A fuzzer's bytes as a row of decisions; when they run out, every decision is 0. */
final class Choices {
  private final byte[] bytes;
  private int at;

  Choices(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The kept inputs of a target: a word that says what is special, then the bytes. */
  static Stream<byte[]> kept(String resource) {
    try (InputStream in = Choices.class.getResourceAsStream(resource)) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> HexFormat.of().parseHex(line.substring(line.indexOf(' ') + 1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean areOver() {
    return at >= bytes.length;
  }

  int oneByte() {
    return areOver() ? 0 : bytes[at++] & 0xff;
  }

  boolean yes() {
    return (oneByte() & 1) == 1;
  }

  int below(int bound) {
    return oneByte() % bound;
  }

  @SafeVarargs
  final <T> T oneOf(T... values) {
    return values[below(values.length)];
  }

  int anyInt() {
    return oneByte() << 24 | oneByte() << 16 | oneByte() << 8 | oneByte();
  }

  /** Up to 255 bytes of the input itself. */
  byte[] someBytes() {
    int end = Math.min(bytes.length, at + oneByte());
    int begin = Math.min(at, end);
    at = Math.max(at, end);
    return Arrays.copyOfRange(bytes, begin, end);
  }

  /** Zeros, in sizes that matter to windows and frames. */
  byte[] filler() {
    return new byte[oneOf(0, 1, 9, 255, 4_096, 16_384, 65_535, 100_000)];
  }
}
