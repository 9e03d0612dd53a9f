// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/** What kind of object owns the workload; used for telemetry only. */
public enum WorkloadType {
  /** A Deployment. */
  DEPLOYMENT,
  /** A CronJob. */
  CRONJOB,
  /** A bare Pod. */
  POD,
  /** A Job. */
  JOB
}
