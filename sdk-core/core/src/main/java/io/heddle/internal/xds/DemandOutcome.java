// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

/** What became of asking the control plane for a name. */
public enum DemandOutcome {
  /** It is in the state now, as far as it exists. */
  FOUND,
  /** The control plane does not know it. */
  ABSENT,
  /** No answer came in time; one that comes later is still applied. */
  TIMED_OUT,
  /** Too many names are waited for already. */
  REFUSED,
  /** The client was closed. */
  CLOSED
}
