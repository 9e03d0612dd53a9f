// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/** Who may see a service. */
public enum Visibility {
  /** Clients of every namespace. */
  PUBLIC,
  /** Clients of the service's own namespace; to all others it does not exist. */
  NAMESPACE
}
