// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustBundles;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VerifiedChainsTest {

  private static ByteBuffer digest(int of) {
    return ByteBuffer.allocate(4).putInt(0, of);
  }

  private static VerifiedChains.Entry entry(int of) {
    PeerSvid peer = new PeerSvid(SpiffeId.parse("spiffe://t/" + of), List.of(), Instant.EPOCH);
    return new VerifiedChains.Entry(peer, Instant.EPOCH, Instant.EPOCH);
  }

  @Test
  @DisplayName("ID-012 the cache is bounded, and the least recently used chain goes first")
  void bounded() {
    VerifiedChains chains = new VerifiedChains(TrustBundles.of(), 2);
    chains.put(digest(1), entry(1));
    chains.put(digest(2), entry(2));
    chains.find(digest(1));

    chains.put(digest(3), entry(3));

    assertThat(chains.size()).isEqualTo(2);
    assertThat(chains.find(digest(1))).isEqualTo(entry(1));
    assertThat(chains.find(digest(2))).isNull();
  }
}
