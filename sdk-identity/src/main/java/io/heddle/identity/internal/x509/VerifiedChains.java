// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import io.heddle.identity.PeerSvid;
import io.heddle.identity.TrustBundles;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The chains that were found good under one set of bundles. Bounded, least recently used goes
 * first; only successes are kept, so that strangers cannot push friends out by being refused.
 */
final class VerifiedChains {

  /**
   * A chain found good.
   *
   * @param peer whose it is
   * @param notBefore when the last certificate of its path begins
   * @param notAfter when the first certificate of its path ends
   */
  record Entry(PeerSvid peer, Instant notBefore, Instant notAfter) {}

  private final TrustBundles bundles;
  private final Map<ByteBuffer, Entry> entries;

  VerifiedChains(TrustBundles bundles, int capacity) {
    this.bundles = bundles;
    this.entries = new LeastRecentlyUsed(capacity);
  }

  boolean areUnder(TrustBundles other) {
    return bundles.equals(other);
  }

  @Nullable Entry find(ByteBuffer digest) {
    synchronized (entries) {
      return entries.get(digest);
    }
  }

  void put(ByteBuffer digest, Entry entry) {
    synchronized (entries) {
      entries.put(digest, entry);
    }
  }

  void remove(ByteBuffer digest) {
    synchronized (entries) {
      entries.remove(digest);
    }
  }

  int size() {
    synchronized (entries) {
      return entries.size();
    }
  }

  private static final class LeastRecentlyUsed
      extends LinkedHashMap<ByteBuffer, VerifiedChains.Entry> {

    private static final long serialVersionUID = 1L;

    private final int capacity;

    LeastRecentlyUsed(int capacity) {
      super(16, 0.75f, true);
      this.capacity = capacity;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<ByteBuffer, VerifiedChains.Entry> eldest) {
      return size() > capacity;
    }
  }
}
