// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.telemetry;

import io.heddle.internal.state.Workload;
import org.jspecify.annotations.Nullable;

/** What a workload says of itself to its peers, written once for each record. Thread-safe. */
public final class BaggageText {

  private record Written(Workload workload, String text) {}

  private volatile @Nullable Written last;

  /** The value of the {@code baggage} header. */
  @SuppressWarnings("ReferenceEquality") // To compare records costs more than to write them again.
  public String of(Workload workload) {
    Written written = last;
    if (written == null || written.workload() != workload) {
      written = new Written(workload, WorkloadParty.baggage(workload).encode());
      last = written;
    }
    return written.text();
  }
}
