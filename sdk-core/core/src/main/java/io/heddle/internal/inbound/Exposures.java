// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The ports that the application has exposed, and how each is delivered. Thread-safe. */
public final class Exposures {

  private final Map<Integer, Delivery> byPort = new ConcurrentHashMap<>();

  /** Exposes a port; returns false when it is exposed already. */
  public boolean add(int port, Delivery delivery) {
    return byPort.putIfAbsent(port, delivery) == null;
  }

  /** Ends an exposure; returns false when it has ended, or another has taken its place. */
  public boolean remove(int port, Delivery delivery) {
    return byPort.remove(port, delivery);
  }

  @Nullable Delivery of(int port) {
    return byPort.get(port);
  }
}
