// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import org.jspecify.annotations.Nullable;

/**
 * Changes a table in a copy of its own. A page is copied when it is first changed, once for the
 * whole edit. Used by one thread.
 *
 * @param <E> the elements
 */
final class TableEdit<E> extends Pages<E> {

  private static final int SMALLEST_PAGE = 4;

  /** Shares of all slots: where more pages are made, how full they then are, where fewer are. */
  private static final double FULL = 0.75;

  private static final double ROOMY = 0.6;
  private static final double SPARSE = 0.125;

  /** A single page may be fuller than all together. */
  private static final double PAGE_FULL = 0.94;

  /** What the pages came from, or null once none is shared with it. */
  private @Nullable PersistentTable<E> origin;

  private boolean changed;

  TableEdit(PersistentTable<E> origin) {
    super(origin.chunks, origin.pages, origin.size);
    this.origin = origin;
  }

  /** Makes room for more elements at once, where it would else be made step by step. */
  void reserve(int more) {
    if (size + more >= slots() * FULL) {
      resize(pagesFor(size + more));
    }
  }

  /** Adds an element, whether or not it or another with this hash is there. */
  void add(int hash, E element) {
    if (size >= slots() * FULL) {
      resize(pagesFor(size + 1));
    }
    insert(mix(hash), element);
  }

  /** Removes one occurrence of this very element, if it is there. */
  void remove(int hash, E element) {
    long place = placeOf(hash, element);
    if (place != NONE) {
      int page = page(place);
      own(page);
      close(hashes(page), elements(page), slot(place));
      size--;
    }
  }

  /** Puts an element in the place of another with the same hash, which must be there. */
  void replace(int hash, E former, E element) {
    long place = placeOf(hash, former);
    own(page(place));
    elements(page(place))[slot(place)] = element;
  }

  /** The table as edited, or the very origin when nothing was. The edit ends with this. */
  PersistentTable<E> finish() {
    if (!changed && origin != null) {
      return origin;
    }
    if (pages > 1 && size < slots() * SPARSE) {
      resize(pagesFor(size));
    }
    return new PersistentTable<>(chunks, pages, size);
  }

  @SuppressWarnings("ReferenceEquality") // Two equal elements are still two.
  private long placeOf(int hash, E element) {
    long place = first(hash);
    while (place != NONE && element(place) != element) {
      place = next(place);
    }
    return place;
  }

  /** How many elements full pages have room for; while there is one, it grows by itself. */
  private long slots() {
    return (long) pages * PAGE_SLOTS;
  }

  private static int pagesFor(int size) {
    return Math.max(1, (int) (size / (PAGE_SLOTS * ROOMY)));
  }

  private void insert(int mixed, Object element) {
    int page = pageOf(mixed);
    own(page);
    if (taken(hashes(page)) + 1 > hashes(page).length * PAGE_FULL) {
      enlarge(page);
    }
    put(hashes(page), elements(page), mixed, element);
    size++;
  }

  private static int taken(int[] hashes) {
    int taken = 0;
    for (int hash : hashes) {
      taken += hash == FREE ? 0 : 1;
    }
    return taken;
  }

  private static void put(int[] hashes, Object[] elements, int mixed, Object element) {
    int mask = hashes.length - 1;
    int slot = home(mixed) & mask;
    while (hashes[slot] != FREE) {
      if ((hashes[slot] & ~MORE) == mixed) {
        hashes[slot] |= MORE;
      }
      slot = (slot + 1) & mask;
    }
    hashes[slot] = mixed;
    elements[slot] = element;
  }

  /**
   * Frees a slot; what follows moves up as far as its hash allows, so that no walk is cut. Elements
   * of one hash stay in their order, so that what is kept of them stays true.
   */
  private static void close(int[] hashes, @Nullable Object[] elements, int slot) {
    int mask = hashes.length - 1;
    int free = slot;
    for (int i = (slot + 1) & mask; hashes[i] != FREE; i = (i + 1) & mask) {
      int fromHome = (i - home(hashes[i])) & mask;
      int fromFree = (i - free) & mask;
      if (fromHome >= fromFree) {
        hashes[free] = hashes[i];
        elements[free] = elements[i];
        free = i;
      }
    }
    hashes[free] = FREE;
    elements[free] = null;
  }

  /** Makes a page, and the way to it, this edit's own. */
  private void own(int page) {
    PersistentTable<E> shared = origin;
    if (shared == null) {
      return;
    }
    if (!changed) {
      changed = true;
      chunks = chunks.clone();
    }
    int chunk = page / CHUNK_PAGES;
    if (chunks[chunk] == shared.chunks[chunk]) {
      chunks[chunk] = chunks[chunk].clone();
    }
    if (hashes(page) == shared.hashes(page)) {
      set(page, hashes(page).clone(), elements(page).clone());
    }
  }

  private void set(int page, int[] hashes, Object[] elements) {
    int at = 2 * (page % CHUNK_PAGES);
    chunks[page / CHUNK_PAGES][at] = hashes;
    chunks[page / CHUNK_PAGES][at + 1] = elements;
  }

  private void enlarge(int page) {
    int[] formerHashes = hashes(page);
    Object[] formerElements = elements(page);
    int length = Math.max(SMALLEST_PAGE, 2 * formerHashes.length);
    set(page, new int[length], new Object[length]);
    for (int i = 0; i < formerHashes.length; i++) {
      if (formerHashes[i] != FREE) {
        put(hashes(page), elements(page), formerHashes[i] & ~MORE, formerElements[i]);
      }
    }
  }

  /** Spreads all elements over another number of pages. */
  private void resize(int newPages) {
    PersistentTable<E> former = new PersistentTable<>(chunks, pages, size);
    chunks = new Object[(newPages + CHUNK_PAGES - 1) / CHUNK_PAGES][];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = new Object[2 * Math.min(CHUNK_PAGES, newPages - i * CHUNK_PAGES)];
    }
    pages = newPages;
    size = 0;
    origin = null;
    for (int page = 0; page < pages; page++) {
      set(page, new int[PAGE_SLOTS], new Object[PAGE_SLOTS]);
    }
    for (int page = 0; page < former.pages; page++) {
      int[] hashes = former.hashes(page);
      for (int slot = 0; slot < hashes.length; slot++) {
        if (hashes[slot] != FREE) {
          insert(hashes[slot] & ~MORE, former.elements(page)[slot]);
        }
      }
    }
  }
}
