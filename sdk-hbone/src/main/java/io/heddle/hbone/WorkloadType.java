// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

/** What owns a workload, as {@link Baggage} names it. */
public enum WorkloadType {
  /** A Deployment. */
  DEPLOYMENT("deployment"),
  /** A CronJob. */
  CRONJOB("cronjob"),
  /** A Pod of its own. */
  POD("pod"),
  /** A Job. */
  JOB("job");

  private final String label;

  WorkloadType(String label) {
    this.label = label;
  }

  /**
   * The word inside the key {@code k8s.<word>.name}.
   *
   * @return lower case
   */
  public String label() {
    return label;
  }
}
