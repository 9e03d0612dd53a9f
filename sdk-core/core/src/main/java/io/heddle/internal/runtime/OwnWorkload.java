// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.state.WorkloadInfo;
import org.jspecify.annotations.Nullable;

/** This process among the workloads: found by name, never by address (HBONE reference 2). */
public final class OwnWorkload {

  private final WorkloadIndex index;
  private final WorkloadInfo info;

  OwnWorkload(WorkloadIndex index, WorkloadInfo info) {
    this.index = index;
    this.info = info;
  }

  /** Its record as known now; null while it is unknown. */
  public @Nullable Workload now() {
    return index.current().workload(info);
  }

  /** Whether an update changes what inbound connections are judged by. */
  boolean isAffected(MeshSnapshot former, MeshSnapshot next) {
    if (former.policies() != next.policies()) {
      return true;
    }
    Workload before = former.workload(info);
    Workload after = next.workload(info);
    return before == null
        || after == null
        || !before.authorizationPolicies().equals(after.authorizationPolicies());
  }
}
