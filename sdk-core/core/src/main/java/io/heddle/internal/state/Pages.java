// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.function.Consumer;

/**
 * A hash table that is divided into pages. Elements have any key that a hash can be taken of; the
 * table keeps the hash, and several elements may have the same one. So a look-up walks the elements
 * of a hash and compares the key itself, which makes no object:
 *
 * <pre>{@code
 * for (long at = pages.first(hash); at != Pages.NONE; at = pages.next(at)) {
 *   if (pages.element(at) is the one) ...
 * }
 * }</pre>
 *
 * <p>In a page, elements follow each other from the slot that their hash points to (linear
 * probing), and at least one slot is free, which ends every walk. Of a hash the lowest bit is not
 * kept: it tells whether another element of the hash may follow, so that a look-up ends at the
 * first one nearly always. Pages are small, because a change copies one, and because a walk should
 * stay within a line or two of the processor's cache.
 *
 * @param <E> the elements
 */
abstract sealed class Pages<E> permits PersistentTable, TableEdit {

  /** No place. */
  static final long NONE = -1;

  /** Marks a free slot. */
  static final int FREE = 0;

  /** Of a kept hash, that another element of it may follow. */
  static final int MORE = 1;

  /** The slots of a page, unless hashes are very uneven or the whole table is one small page. */
  static final int PAGE_SLOTS = 32;

  /** The pages of a chunk; the last chunk may have fewer. */
  static final int CHUNK_PAGES = 64;

  /** Of each page of each chunk first the hashes, an {@code int[]}, then the elements. */
  Object[][] chunks;

  int pages;
  int size;

  Pages(Object[][] chunks, int pages, int size) {
    this.chunks = chunks;
    this.pages = pages;
    this.size = size;
  }

  final int size() {
    return size;
  }

  /** The place of the first element with a hash, or {@link #NONE}. */
  final long first(int hash) {
    int mixed = mix(hash);
    return walk(pageOf(mixed), home(mixed), mixed);
  }

  /** The place of the next element with the same hash, or {@link #NONE}. */
  final long next(long place) {
    int slot = slot(place);
    int kept = hashes(page(place))[slot];
    return (kept & MORE) == 0 ? NONE : walk(page(place), slot + 1, kept & ~MORE);
  }

  @SuppressWarnings("unchecked") // Only elements are put in.
  final E element(long place) {
    return (E) elements(page(place))[slot(place)];
  }

  @SuppressWarnings("unchecked") // Only elements are put in.
  final void forEach(Consumer<? super E> action) {
    for (int page = 0; page < pages; page++) {
      for (Object element : elements(page)) {
        if (element != null) {
          action.accept((E) element);
        }
      }
    }
  }

  private long walk(int page, int from, int mixed) {
    int[] hashes = hashes(page);
    int mask = hashes.length - 1;
    for (int slot = from & mask; ; slot = (slot + 1) & mask) {
      int found = hashes[slot];
      if ((found & ~MORE) == mixed) {
        return ((long) page << Integer.SIZE) | slot;
      }
      if (found == FREE) {
        return NONE;
      }
    }
  }

  final int[] hashes(int page) {
    return (int[]) chunks[page / CHUNK_PAGES][2 * (page % CHUNK_PAGES)];
  }

  final Object[] elements(int page) {
    return (Object[]) chunks[page / CHUNK_PAGES][2 * (page % CHUNK_PAGES) + 1];
  }

  static int page(long place) {
    return (int) (place >>> Integer.SIZE);
  }

  static int slot(long place) {
    return (int) place;
  }

  /** Where in a page the walk to a kept hash begins, before it is cut to the page's size. */
  static int home(int kept) {
    return kept >>> 1;
  }

  /** The upper bits choose the page, the lower ones the slot in it. */
  final int pageOf(int mixed) {
    return (int) ((Integer.toUnsignedLong(mixed) * pages) >>> Integer.SIZE);
  }

  static int mix(int hash) {
    // Fibonacci hashing: the addresses of one network differ in a few low bits only.
    int spread = hash * 0x9E3779B9;
    int mixed = (spread ^ (spread >>> 16)) & ~MORE;
    return mixed == FREE ? MORE << 1 : mixed;
  }
}
