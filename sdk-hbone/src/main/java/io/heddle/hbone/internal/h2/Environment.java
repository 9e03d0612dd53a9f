// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.HboneSettings;
import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * What all connections of one client or server share.
 *
 * @param settings the numbers
 * @param receiveBudget what their tunnels may let peers send beyond the initial windows
 * @param unread their tunnels that outlive them for a while
 * @param clock what the ends of certificates are compared with
 * @param chance from 0 to 1, so that connections made together do not end together
 */
record Environment(
    HboneSettings settings,
    ReceiveBudget receiveBudget,
    UnreadTunnels unread,
    Clock clock,
    DoubleSupplier chance) {

  static Environment of(HboneSettings settings, Clock clock) {
    return new Environment(
        settings,
        new ReceiveBudget(settings.receiveBudgetBytes()),
        new UnreadTunnels(),
        clock,
        () -> ThreadLocalRandom.current().nextDouble());
  }
}
