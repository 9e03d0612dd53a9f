// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the resources that were accepted, by name. There may be a million, and the names
 * are known elsewhere: so a name is kept as a keyed hash of 64 bits, and a version as the number
 * that it is in hexadecimal, as istiod writes it. Versions of any other form are kept as text.
 *
 * <p>Two names of one hash share a version. It is then the wrong one of either, so the control
 * plane sends that resource again: a collision costs a message and loses nothing.
 */
final class VersionTable {

  private static final int SMALLEST = 16;
  private static final int LONGEST_NUMBER = 16;

  /** A longer version is kept as an empty one, with which the resource is sent again. */
  private static final int LONGEST_TEXT = 256;

  private static final long FREE = 0;

  private final long seed;
  private final long multiplier;

  /** Open addressing; the length is a power of two, and at most three quarters are taken. */
  private long[] hashes = new long[SMALLEST];

  private long[] numbers = new long[SMALLEST];
  private int taken;
  private final Map<String, String> texts = new HashMap<>();

  VersionTable(RandomGenerator random) {
    seed = random.nextLong();
    multiplier = random.nextLong() | 1;
  }

  int size() {
    return taken + texts.size();
  }

  void put(String name, String version) {
    if (!isNumber(version)) {
      removeNumber(name);
      texts.put(name, version.length() > LONGEST_TEXT ? "" : version);
      return;
    }
    texts.remove(name);
    long hash = hash(name);
    int at = find(hash);
    if (hashes[at] == FREE) {
      if ((taken + 1) * 4L > hashes.length * 3L) {
        grow();
        at = find(hash);
      }
      hashes[at] = hash;
      taken++;
    }
    numbers[at] = Long.parseUnsignedLong(version, 16);
  }

  /** The version under which a resource was accepted; null if it was not. */
  @Nullable String get(String name) {
    String text = texts.get(name);
    if (text != null) {
      return text;
    }
    int at = find(hash(name));
    return hashes[at] == FREE ? null : Long.toHexString(numbers[at]);
  }

  boolean contains(String name) {
    return texts.containsKey(name) || hashes[find(hash(name))] != FREE;
  }

  void remove(String name) {
    texts.remove(name);
    removeNumber(name);
  }

  void clear() {
    texts.clear();
    hashes = new long[SMALLEST];
    numbers = new long[SMALLEST];
    taken = 0;
  }

  private void removeNumber(String name) {
    int gap = find(hash(name));
    if (hashes[gap] == FREE) {
      return;
    }
    taken--;
    int mask = hashes.length - 1;
    // Entries that were pushed on by the one that goes move back, so that no search ends early.
    for (int at = (gap + 1) & mask; hashes[at] != FREE; at = (at + 1) & mask) {
      int home = (int) hashes[at] & mask;
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        hashes[gap] = hashes[at];
        numbers[gap] = numbers[at];
        gap = at;
      }
    }
    hashes[gap] = FREE;
  }

  private int find(long hash) {
    int mask = hashes.length - 1;
    int at = (int) hash & mask;
    while (hashes[at] != FREE && hashes[at] != hash) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    long[] formerHashes = hashes;
    long[] formerNumbers = numbers;
    hashes = new long[formerHashes.length * 2];
    numbers = new long[hashes.length];
    for (int i = 0; i < formerHashes.length; i++) {
      if (formerHashes[i] != FREE) {
        int at = find(formerHashes[i]);
        hashes[at] = formerHashes[i];
        numbers[at] = formerNumbers[i];
      }
    }
  }

  /** Keyed, so that nobody who chooses names can choose where they fall. */
  private long hash(String name) {
    long hash = seed;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * multiplier;
      hash ^= hash >>> 29;
    }
    hash *= multiplier;
    hash ^= hash >>> 32;
    return hash == FREE ? 1 : hash;
  }

  /** Whether the text comes back when the number is written again. */
  private static boolean isNumber(String version) {
    int length = version.length();
    if (length == 0 || length > LONGEST_NUMBER || (length > 1 && version.charAt(0) == '0')) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = version.charAt(i);
      if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
        return false;
      }
    }
    return true;
  }
}
