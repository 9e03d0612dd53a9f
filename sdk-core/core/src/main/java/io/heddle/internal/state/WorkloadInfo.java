// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/**
 * How a process names itself. A workload finds its own record by this and never by address, which
 * it may share with others (HBONE reference 2).
 *
 * @param name the workload's name
 * @param namespace its namespace
 * @param serviceAccount its service account
 */
public record WorkloadInfo(String name, String namespace, String serviceAccount) {

  /** Whether this names the given workload. */
  public boolean matches(Workload workload) {
    return workload.name().equals(name)
        && workload.namespace().equals(namespace)
        && workload.serviceAccount().equals(serviceAccount);
  }

  @Override
  public String toString() {
    return namespace + "/" + name + "/" + serviceAccount;
  }
}
