// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

/**
 * What becomes of connections to this workload while a policy that applies to it cannot be applied:
 * its record names one that has not arrived, or a part of one could not be read.
 */
public enum MissingPolicies {
  /** They wait for it a moment, and are refused. The default. */
  REFUSE,
  /** The policy is left out, as the ambient node proxy does. */
  IGNORE
}
