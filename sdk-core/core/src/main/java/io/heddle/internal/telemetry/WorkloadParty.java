// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.telemetry;

import io.heddle.hbone.Baggage;
import io.heddle.internal.state.Workload;
import io.heddle.spi.ConnectionLabels.Party;
import org.jspecify.annotations.Nullable;

/** A workload as telemetry and the {@code baggage} header describe it. */
public final class WorkloadParty {

  private WorkloadParty() {}

  /** The labels of a workload; {@link Party#UNKNOWN} when there is none. */
  public static Party of(@Nullable Workload workload) {
    if (workload == null) {
      return Party.UNKNOWN;
    }
    return new Party(
        workload.workloadName().isEmpty() ? workload.name() : workload.workloadName(),
        workload.namespace(),
        "",
        workload.canonicalName(),
        workload.canonicalRevision(),
        workload.clusterId(),
        workload.locality().region(),
        workload.locality().zone());
  }

  /** The labels that a peer gives itself (HBONE reference 1.5). */
  public static Party of(Baggage baggage) {
    return new Party(
        baggage.workloadName(),
        baggage.namespace(),
        "",
        baggage.serviceName(),
        baggage.serviceVersion(),
        baggage.clusterName(),
        baggage.region(),
        baggage.zone());
  }

  /** What a workload says of itself on a CONNECT, or in the answer to one. */
  static Baggage baggage(Workload workload) {
    return new Baggage(
        workload.clusterId(),
        workload.namespace(),
        workload.workloadType(),
        workload.workloadName(),
        workload.canonicalName(),
        workload.canonicalRevision(),
        workload.locality().region(),
        workload.locality().zone());
  }
}
