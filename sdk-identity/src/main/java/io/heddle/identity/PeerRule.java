// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity;

import java.util.function.Predicate;

/**
 * A rule that can say itself in words.
 *
 * @param words the rule as messages quote it
 * @param test the rule
 */
record PeerRule(String words, Predicate<SpiffeId> test) implements PeerAuthorizer {

  @Override
  public boolean authorize(SpiffeId peer) {
    return test.test(peer);
  }

  @Override
  public String toString() {
    return words;
  }
}
