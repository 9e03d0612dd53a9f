// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.wds;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What was read of bytes that come again and again. The bytes themselves would cost more than what
 * was read of them, so a keyed hash of 128 bits stands for them: that two of a million different
 * ones have the same is less likely than that the machine errs, and nobody who chooses the bytes
 * knows the key. Used by one thread.
 *
 * @param <T> what was read
 */
final class ReadBefore<T> {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SMALLEST = 64;

  private final long seed1;
  private final long seed2;
  private final long multiplier1;
  private final long multiplier2;

  /** Two for each slot; at most half of the slots are taken. */
  private long[] hashes = new long[2 * SMALLEST];

  private @Nullable Object[] values = new Object[SMALLEST];
  private int size;
  private long hash1;
  private long hash2;

  ReadBefore(RandomGenerator random) {
    seed1 = random.nextLong();
    seed2 = random.nextLong();
    multiplier1 = random.nextLong() | 1;
    multiplier2 = random.nextLong() | 1;
  }

  /** What was read of these bytes, or null. */
  @SuppressWarnings("unchecked") // Only put() puts values in, and it takes T.
  @Nullable T find(GatheredBytes bytes) {
    hash(bytes.array(), bytes.length());
    return (T) values[slot(hash1, hash2)];
  }

  /** Keeps what was read of the bytes that were last looked for. */
  void put(T value) {
    if (2 * (size + 1) > values.length) {
      grow();
    }
    keep(hash1, hash2, value);
    size++;
  }

  void clear() {
    hashes = new long[2 * SMALLEST];
    values = new Object[SMALLEST];
    size = 0;
  }

  private void keep(long first, long second, Object value) {
    int slot = slot(first, second);
    hashes[2 * slot] = first;
    hashes[2 * slot + 1] = second;
    values[slot] = value;
  }

  private int slot(long first, long second) {
    int mask = values.length - 1;
    int slot = (int) first & mask;
    while (values[slot] != null && (hashes[2 * slot] != first || hashes[2 * slot + 1] != second)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] formerHashes = hashes;
    @Nullable Object[] formerValues = values;
    hashes = new long[2 * formerHashes.length];
    values = new Object[2 * formerValues.length];
    for (int i = 0; i < formerValues.length; i++) {
      Object value = formerValues[i];
      if (value != null) {
        keep(formerHashes[2 * i], formerHashes[2 * i + 1], value);
      }
    }
  }

  private void hash(byte[] bytes, int length) {
    long first = seed1 ^ length;
    long second = seed2 ^ length;
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      long next = (long) LONGS.get(bytes, at);
      first = mix(first ^ next, multiplier1);
      second = mix(second ^ next, multiplier2);
    }
    long rest = 0;
    for (; at < length; at++) {
      rest = rest << Byte.SIZE | (bytes[at] & 0xff);
    }
    hash1 = mix(mix(first ^ rest, multiplier1), multiplier2);
    hash2 = mix(mix(second ^ rest, multiplier2), multiplier1);
  }

  private static long mix(long value, long multiplier) {
    long product = value * multiplier;
    return product ^ Math.multiplyHigh(value, multiplier) ^ (product >>> 29);
  }
}
