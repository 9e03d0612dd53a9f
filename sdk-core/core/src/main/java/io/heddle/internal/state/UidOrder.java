// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * An order that only uids decide. Their hashes go first, because they can be had without making the
 * uids.
 */
final class UidOrder {

  static final Comparator<Workload> ORDER =
      Comparator.comparingInt(Workload::uidHash).thenComparing(Workload::uid);

  private UidOrder() {}

  /** The first index whose uid has this hash or a greater one. */
  static int firstIndex(Workload[] inOrder, int hash) {
    int low = 0;
    int high = inOrder.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (inOrder[middle].uidHash() < hash) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Both in order.
   *
   * @param inOrder many, in order
   * @param others few, or the only ones
   */
  static Workload[] merge(List<Workload> inOrder, List<Workload> others) {
    Workload[] more = sorted(others);
    Workload[] result = new Workload[inOrder.size() + more.length];
    int from = 0;
    int to = 0;
    for (Workload next : more) {
      int until = from + position(inOrder.subList(from, inOrder.size()), next);
      while (from < until) {
        result[to++] = inOrder.get(from++);
      }
      result[to++] = next;
    }
    while (from < inOrder.size()) {
      result[to++] = inOrder.get(from++);
    }
    return result;
  }

  private static int position(List<Workload> inOrder, Workload workload) {
    return -1 - Collections.binarySearch(inOrder, workload, ORDER);
  }

  /** Each workload once. Their hashes are taken once too. */
  private static Workload[] sorted(List<Workload> workloads) {
    long[] keys = new long[workloads.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (long) workloads.get(i).uidHash() << Integer.SIZE | i;
    }
    Arrays.sort(keys);
    Workload[] sorted = new Workload[keys.length];
    boolean sameHash = false;
    for (int i = 0; i < keys.length; i++) {
      sorted[i] = workloads.get((int) keys[i]);
      sameHash |= i > 0 && keys[i] >> Integer.SIZE == keys[i - 1] >> Integer.SIZE;
    }
    return sameHash
        ? Arrays.stream(sorted).sorted(ORDER).distinct().toArray(Workload[]::new)
        : sorted;
  }
}
