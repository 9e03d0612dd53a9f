// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import java.time.Duration;

/** The workload of this process did not become known in time. */
public final class UnknownWorkloadException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnknownWorkloadException(WorkloadInfo info, Duration patience) {
    super(
        "workload "
            + info
            + " (namespace/name/service account) was not known after "
            + patience.toMillis()
            + " ms: check these three against the workload's entry in the control plane or file");
  }
}
