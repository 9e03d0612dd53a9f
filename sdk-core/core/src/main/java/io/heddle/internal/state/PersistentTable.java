// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.ArrayList;
import java.util.List;

/**
 * A hash table that never changes. An edited copy shares all pages that the edit did not touch, so
 * a state of 100 000 workloads can follow another at the price of the few pages that differ, and
 * readers of the former one see nothing of it.
 *
 * @param <E> the elements
 */
final class PersistentTable<E> extends Pages<E> {

  private static final PersistentTable<?> EMPTY =
      new PersistentTable<>(new Object[][] {{new int[1], new Object[1]}}, 1, 0);

  PersistentTable(Object[][] chunks, int pages, int size) {
    super(chunks, pages, size);
  }

  @SuppressWarnings("unchecked") // Nothing is in it, so it is of every type.
  static <E> PersistentTable<E> empty() {
    return (PersistentTable<E>) EMPTY;
  }

  /** Every element once for each time it was added, in no particular order. */
  List<E> toList() {
    List<E> all = new ArrayList<>(size);
    forEach(all::add);
    return all;
  }

  TableEdit<E> edit() {
    return new TableEdit<>(this);
  }
}
