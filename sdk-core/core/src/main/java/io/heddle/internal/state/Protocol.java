// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/** How a workload is reached. */
public enum Protocol {
  /** Plain TCP: the workload is not part of the mesh. */
  TCP,
  /** By a tunnel to port 15008. */
  HBONE
}
