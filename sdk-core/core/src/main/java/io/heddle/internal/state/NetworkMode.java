// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/** Whether the workload has its addresses for itself. */
public enum NetworkMode {
  /** The addresses name this workload. */
  STANDARD,
  /** The addresses are the node's and say nothing about who is behind them. */
  HOST_NETWORK
}
