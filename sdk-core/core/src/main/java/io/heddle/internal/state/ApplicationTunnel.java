// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

/**
 * How a workload wants the bytes of a tunnel handed to its application.
 *
 * @param protocol what precedes the bytes
 * @param port where the application listens for them; 0 means the port that was asked for
 */
public record ApplicationTunnel(Protocol protocol, int port) {

  /** Checks the port. */
  public ApplicationTunnel {
    PortMap.requirePort(port, "application tunnel port");
  }

  /** Whether the application listens on a port of its own choice. */
  public boolean hasPort() {
    return port != 0;
  }

  /** What precedes the bytes. */
  public enum Protocol {
    /** Nothing. */
    NONE,
    /** A PROXY protocol version 2 header (HBONE reference 1.12). */
    PROXY
  }
}
