// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

/** The destinations to which a policy applies. */
public enum Scope {
  /** Every workload of the mesh, whatever namespace the policy itself is in. */
  GLOBAL,
  /** Every workload of the policy's namespace. */
  NAMESPACE,
  /** The workloads that name the policy. */
  WORKLOAD_SELECTOR
}
