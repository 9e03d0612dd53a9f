// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Guesses what was meant. */
final class Spelling {

  private static final int MAX_DISTANCE = 2;

  private Spelling() {}

  /** Advice for somebody who wrote something that is not one of the known words. */
  static String advice(String written, Collection<String> known) {
    return nearest(written, known)
        .map(word -> "did you mean '" + word + "'?")
        .orElseGet(
            () -> "use one of: " + known.stream().sorted().collect(Collectors.joining(", ")));
  }

  private static Optional<String> nearest(String written, Collection<String> known) {
    String folded = written.toLowerCase(Locale.ROOT);
    // A short word is within two changes of any other.
    int allowed = Math.min(MAX_DISTANCE, written.length() / 3);
    return known.stream()
        .filter(word -> distance(folded, word.toLowerCase(Locale.ROOT)) <= allowed)
        .min(Comparator.comparingInt(word -> distance(folded, word.toLowerCase(Locale.ROOT))));
  }

  /** The number of letters to insert, drop or replace. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
