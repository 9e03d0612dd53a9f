// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.telemetry;

import io.heddle.spi.ConnectionLabels;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Keeps labels once that many connections have. Thread-safe. */
final class SharedLabels {

  /** Peers choose some of the values, so there is no end of them. */
  private static final int MOST = 1_000;

  private final ConcurrentMap<ConnectionLabels, ConnectionLabels> known = new ConcurrentHashMap<>();

  /** Equal labels: those of an earlier connection, if there was one. */
  ConnectionLabels of(ConnectionLabels labels) {
    ConnectionLabels earlier = known.get(labels);
    if (earlier != null) {
      return earlier;
    }
    if (known.size() >= MOST) {
      // Labels in use are soon known again; which those are would cost more to know.
      known.clear();
    }
    known.put(labels, labels);
    return labels;
  }
}
