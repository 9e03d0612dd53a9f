// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The inbound connections that policies have a say in. An entry is made before the first verdict,
 * so that no change of policies can fall between verdict and entry (HBONE reference 3.2, step 7).
 * Thread-safe.
 */
final class ConnectionTable {

  private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

  /** One connection; each has an entry of its own, however alike two are. */
  interface Entry {

    /** Policies, or the own workload's references to them, have changed. Any thread. */
    void policiesChanged();
  }

  void register(Entry entry) {
    entries.add(entry);
  }

  void release(Entry entry) {
    entries.remove(entry);
  }

  void policiesChanged() {
    entries.forEach(Entry::policiesChanged);
  }

  int size() {
    return entries.size();
  }
}
