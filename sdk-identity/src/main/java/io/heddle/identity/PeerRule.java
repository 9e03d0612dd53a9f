// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.util.Collection;
import java.util.function.Predicate;

/**
 * A rule that can say itself in words.
 *
 * @param words the rule as messages quote it
 * @param test the rule
 */
record PeerRule(String words, Predicate<SpiffeId> test) implements PeerAuthorizer {

  // More would make a line of log unreadable.
  private static final int NAMED_IDS = 8;

  /** The words for a list of ids. */
  static String oneOf(Collection<SpiffeId> ids) {
    return ids.size() > NAMED_IDS
        ? "one of " + ids.size() + " ids"
        : "one of " + ids.stream().sorted().toList();
  }

  @Override
  public boolean authorize(SpiffeId peer) {
    return test.test(peer);
  }

  @Override
  public String toString() {
    return words;
  }
}
