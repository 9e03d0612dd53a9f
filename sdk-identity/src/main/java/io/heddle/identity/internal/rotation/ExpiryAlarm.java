// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.rotation;

import io.heddle.identity.IdentitySnapshot;
import java.time.Duration;
import java.time.Instant;

/**
 * Says when it is time to speak up about a certificate that is not being renewed: once at each
 * threshold of its remaining life. Confined to the thread that renews.
 */
public final class ExpiryAlarm {

  private final double[] shares;
  private long version;
  private int passed;

  /**
   * An alarm for a source.
   *
   * @param remainingShares the thresholds, each a share of the life left, in falling order
   */
  public ExpiryAlarm(double... remainingShares) {
    this.shares = remainingShares.clone();
  }

  /** Whether a threshold was passed since the last call; each counts once for each snapshot. */
  public boolean isDue(IdentitySnapshot held, Instant now) {
    if (held.version() != version) {
      version = held.version();
      passed = 0;
    }
    Instant end = held.svid().notAfter();
    double life = Math.max(1, Duration.between(held.receivedAt(), end).toMillis());
    double left = Duration.between(now, end).toMillis() / life;
    int before = passed;
    while (passed < shares.length && left <= shares[passed]) {
      passed++;
    }
    return passed > before;
  }
}
