// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.CodedOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The names that were asked for on demand. A control plane answers a name once in a stream: who
 * asks again is told what was answered, or waits with the first (control-plane reference 2.9).
 *
 * <p>Control-plane thread only. A pending name outlives its waiters, so that a late answer is
 * recognised and a new stream asks again.
 */
final class Demands {

  private final int most;
  private final Map<String, List<CompletableFuture<DemandOutcome>>> pending = new LinkedHashMap<>();
  private final Set<String> unsent = new LinkedHashSet<>();

  /** Names that are not names of resources, by the resource that answered them. */
  private final Map<String, String> aliases = new HashMap<>();

  private final Set<String> absent = new HashSet<>();

  Demands(int most) {
    this.most = most;
  }

  /**
   * Waits for a name.
   *
   * @param holds whether a resource of a name is in the state
   * @return whether it has to be asked for
   */
  boolean add(String name, CompletableFuture<DemandOutcome> waiter, Predicate<String> holds) {
    if (holds.test(aliases.getOrDefault(name, name))) {
      waiter.complete(DemandOutcome.FOUND);
      return false;
    }
    if (absent.contains(name)) {
      waiter.complete(DemandOutcome.ABSENT);
      return false;
    }
    List<CompletableFuture<DemandOutcome>> waiters = pending.get(name);
    if (waiters == null) {
      if (pending.size() + absent.size() + aliases.size() >= most) {
        waiter.complete(DemandOutcome.REFUSED);
        return false;
      }
      waiters = new ArrayList<>(1);
      pending.put(name, waiters);
      unsent.add(name);
    }
    waiters.add(waiter);
    return !unsent.isEmpty();
  }

  /** A waiter has given up. */
  void forget(String name, CompletableFuture<DemandOutcome> waiter) {
    List<CompletableFuture<DemandOutcome>> waiters = pending.get(name);
    if (waiters != null) {
      waiters.removeIf(other -> other == waiter);
    }
  }

  /**
   * Takes names that this stream was not asked for yet.
   *
   * @param bytes how much they may take in a request
   */
  List<String> takeUnsent(int bytes) {
    List<String> names = new ArrayList<>();
    int room = bytes;
    for (Iterator<String> all = unsent.iterator(); all.hasNext(); ) {
      String name = all.next();
      room -= Reconciliation.ENTRY_OVERHEAD + CodedOutputStream.computeStringSizeNoTag(name);
      if (room < 0 && !names.isEmpty()) {
        break;
      }
      names.add(name);
      all.remove();
    }
    return names;
  }

  /** A new stream is asked for all that is pending, and may know what the former did not. */
  void streamEnded() {
    absent.clear();
    unsent.addAll(pending.keySet());
  }

  /** A resource is in the state, under its own name and others. */
  void arrived(String name, List<String> otherNames) {
    absent.remove(name);
    for (String other : otherNames) {
      if (pending.containsKey(other)) {
        aliases.put(other, name);
        answer(other, DemandOutcome.FOUND);
      }
    }
    answer(name, DemandOutcome.FOUND);
  }

  /** The control plane does not know a name, in the spelling in which it was asked for. */
  void missing(String name) {
    if (pending.containsKey(name)) {
      absent.add(name);
      answer(name, DemandOutcome.ABSENT);
    }
  }

  /** Whether an answer is waited for, under one of the names. */
  boolean concern(String name) {
    return pending.containsKey(name) || absent.contains(name);
  }

  void close() {
    for (String name : List.copyOf(pending.keySet())) {
      answer(name, DemandOutcome.CLOSED);
    }
  }

  private void answer(String name, DemandOutcome outcome) {
    List<CompletableFuture<DemandOutcome>> waiters = pending.remove(name);
    unsent.remove(name);
    if (waiters != null) {
      waiters.forEach(waiter -> waiter.complete(outcome));
    }
  }
}
