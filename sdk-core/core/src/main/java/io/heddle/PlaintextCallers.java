// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

/** What becomes of callers that bypass the tunnel and dial an exposed port in plain TCP. */
public enum PlaintextCallers {
  /**
   * Nobody listens for them: an application on loopback is reached by tunnels only. The default.
   */
  REFUSE,
  /**
   * Ports that are delivered to an application by TCP are also served at the workload's addresses,
   * and policies decide, as at the ambient node proxy: without an identity, so that a STRICT mesh
   * refuses all but the kubelet's probes.
   */
  BY_POLICY
}
