// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone;

/**
 * What happens to open tunnels when a certificate of their connection ends. New tunnels are not
 * opened on such a connection in any case.
 */
public enum ExpiredTunnels {
  /** They go on; each is told by an event in its pipeline, and the log by one line. */
  TELL,
  /** They are cut, with a {@link TunnelException.IdentityExpired} at this end. */
  CUT,
  /** They go on and are not told, as with Istio's node proxy. */
  IGNORE
}
