// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

import java.util.List;

/**
 * What a match demands of one attribute of a connection: one hit in {@code anyOf} unless that is
 * empty, and no hit in {@code noneOf}.
 *
 * @param anyOf the positive values
 * @param noneOf the negative values, the {@code not...} fields of a policy
 * @param <T> what a value is
 */
public record Condition<T>(List<T> anyOf, List<T> noneOf) {

  /** Copies the lists. */
  public Condition {
    anyOf = List.copyOf(anyOf);
    noneOf = List.copyOf(noneOf);
  }

  /** Demands nothing. */
  public static <T> Condition<T> unset() {
    return new Condition<>(List.of(), List.of());
  }

  /** Whether nothing is demanded. */
  public boolean isUnset() {
    return anyOf.isEmpty() && noneOf.isEmpty();
  }
}
