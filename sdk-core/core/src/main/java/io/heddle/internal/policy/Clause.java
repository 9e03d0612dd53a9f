// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.List;

/**
 * Holds when any of its matches holds, or when it has none.
 *
 * @param matches the alternatives
 */
public record Clause(List<Match> matches) {

  /** Copies the list. */
  public Clause {
    matches = List.copyOf(matches);
  }
}
