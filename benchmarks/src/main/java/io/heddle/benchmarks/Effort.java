// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import java.util.List;

/**
 * How much is measured.
 *
 * @param rounds how many rounds count, at least five
 * @param scale by how much the work of a round is multiplied
 */
record Effort(int rounds, int scale) {

  static final Effort DEFAULT = new Effort(7, 1);

  static final Effort LONG = new Effort(15, 4);

  /** For a command line. */
  List<String> words() {
    return List.of(Integer.toString(rounds), Integer.toString(scale));
  }

  static Effort of(List<String> words) {
    return new Effort(Integer.parseInt(words.get(0)), Integer.parseInt(words.get(1)));
  }
}
