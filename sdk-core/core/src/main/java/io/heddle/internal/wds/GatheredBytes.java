// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.wds;

import java.util.Arrays;

/** Bytes gathered from several places of a message. Used again and again, by one thread. */
final class GatheredBytes {

  private byte[] bytes = new byte[512];
  private int length;

  void clear() {
    length = 0;
  }

  void add(byte[] source, int from, int to) {
    int needed = length + to - from;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    System.arraycopy(source, from, bytes, length, to - from);
    length = needed;
  }

  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }
}
