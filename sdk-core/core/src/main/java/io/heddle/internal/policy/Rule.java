// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.List;

/**
 * Holds when all of its clauses hold, and so when it has none.
 *
 * @param clauses what must hold together
 */
public record Rule(List<Clause> clauses) {

  /** Copies the list. */
  public Rule {
    clauses = List.copyOf(clauses);
  }
}
