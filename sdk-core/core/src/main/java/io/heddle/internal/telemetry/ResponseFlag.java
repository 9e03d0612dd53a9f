// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.telemetry;

/** The one label of how a connection ended, in metrics and log (HBONE reference 7.1). */
public enum ResponseFlag {
  /** A clean end, or the end of a drain. */
  NONE("-"),
  /** An authorization policy, when the connection was opened or later. */
  DENY("DENY"),
  /** Any other failure to establish or keep the connection. */
  CONNECT("CONNECT"),
  /** The peer's HTTP/2 broke. */
  H2_HANDSHAKE_FAILURE("H2_HANDSHAKE_FAILURE"),
  /** No answer to TCP on the tunnel port: as a rule a network policy. */
  NETWORK_POLICY("NETWORK_POLICY"),
  /** This workload has no valid certificate. */
  IDENTITY_ERROR("IDENTITY_ERROR"),
  /** Mutual TLS failed on identity. */
  TLS_FAILURE("TLS_FAILURE");

  private final String label;

  ResponseFlag(String label) {
    this.label = label;
  }

  /** The value of the label {@code response_flags}. */
  public String label() {
    return label;
  }
}
