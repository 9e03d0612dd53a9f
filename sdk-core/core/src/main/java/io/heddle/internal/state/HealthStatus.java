// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/** Whether a workload declares itself ready for traffic. */
public enum HealthStatus {
  /** Ready. */
  HEALTHY,
  /** Not ready, or on its way out. */
  UNHEALTHY
}
