// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Random;

/** The bytes of one direction of one tunnel, by their position. */
final class Bytes {
  private static final byte[] TABLE = table();

  private final int offset;

  Bytes(Plan plan, boolean up) {
    offset = new Random(plan.seed() ^ (up ? 0x75L : 0x646eL)).nextInt(TABLE.length);
  }

  /** Of a length that no buffer or window is a multiple of: lost bytes shift all that follow. */
  private static byte[] table() {
    byte[] table = new byte[(1 << 20) + 7];
    new Random(4711).nextBytes(table);
    return table;
  }

  void write(ByteBuf target, long position, int count) {
    int left = count;
    while (left > 0) {
      int at = index(position + count - left);
      int run = Math.min(left, TABLE.length - at);
      target.writeBytes(TABLE, at, run);
      left -= run;
    }
  }

  /** Whether these are the bytes from that position on. */
  boolean matches(ByteBuf data, long position) {
    byte[] actual = new byte[data.readableBytes()];
    data.getBytes(data.readerIndex(), actual);
    int done = 0;
    while (done < actual.length) {
      int at = index(position + done);
      int run = Math.min(actual.length - done, TABLE.length - at);
      if (Arrays.mismatch(TABLE, at, at + run, actual, done, done + run) >= 0) {
        return false;
      }
      done += run;
    }
    return true;
  }

  private int index(long position) {
    return (int) ((position + offset) % TABLE.length);
  }
}
