// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several things under one key, in a fixed order of preference. The order is total, so that what is
 * found never depends on what arrived first.
 *
 * @param byKey the candidates of each key; no list is empty
 * @param preference the preferred one first; equal only for one and the same thing
 */
record Candidates<K, V>(PersistentMap<K, List<V>> byKey, Comparator<V> preference) {

  static <K, V> Candidates<K, V> none(Comparator<V> preference) {
    return new Candidates<>(PersistentMap.empty(), preference);
  }

  /** All candidates, the preferred one first. */
  List<V> of(K key) {
    List<V> found = byKey.get(key);
    return found == null ? List.of() : found;
  }

  @Nullable V first(K key) {
    List<V> found = byKey.get(key);
    return found == null ? null : found.get(0);
  }

  Candidates<K, V> with(K key, V value) {
    List<V> others = of(key);
    if (others.isEmpty()) {
      return new Candidates<>(byKey.with(key, List.of(value)), preference);
    }
    List<V> all = new ArrayList<>(others);
    all.add(value);
    all.sort(preference);
    return new Candidates<>(byKey.with(key, List.copyOf(all)), preference);
  }

  Candidates<K, V> without(K key, V value) {
    List<V> rest = new ArrayList<>(of(key));
    rest.removeIf(other -> preference.compare(other, value) == 0);
    return new Candidates<>(
        rest.isEmpty() ? byKey.without(key) : byKey.with(key, List.copyOf(rest)), preference);
  }

  boolean isEmpty() {
    return byKey.isEmpty();
  }
}
