// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import io.heddle.internal.state.Workload;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Whose queries are answered. */
@FunctionalInterface
public interface Clients {

  /** The workload that asks from an address, in canonical form; null if it is unknown. */
  @Nullable Workload of(InetAddress source);
}
