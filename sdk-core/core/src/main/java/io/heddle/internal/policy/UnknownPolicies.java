// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

/** What becomes of connections while a policy that their destination names cannot be applied. */
public enum UnknownPolicies {
  /** They are refused, or held by whoever serves them (DESIGN D8). */
  REFUSE,
  /** The policy is left out, as the peers do. */
  IGNORE
}
