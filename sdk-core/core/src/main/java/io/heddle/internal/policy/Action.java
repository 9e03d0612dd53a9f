// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.policy;

/** What a policy does with a connection that it matches. */
public enum Action {
  /** Admits it, and by its mere presence refuses what no such policy admits. */
  ALLOW,
  /** Refuses it. */
  DENY
}
