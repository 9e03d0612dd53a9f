// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

/** What becomes of a connection to a destination that the mesh does not know. */
public enum UnknownDestinations {
  /** It is dialled in plain TCP, as the ambient node proxy does. The default. */
  PASS_THROUGH,
  /** It is refused, unless it is an address of loopback: what stays on this host is no stranger. */
  REFUSE
}
