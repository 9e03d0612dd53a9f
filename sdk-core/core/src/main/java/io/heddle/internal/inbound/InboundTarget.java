// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.internal.state.Service;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** What the authority of a CONNECT stands for on this workload. */
sealed interface InboundTarget {

  /**
   * A port of this workload.
   *
   * @param address always the address that the connection came in on
   * @param port after translation from the service's port
   * @param service the service that was asked for, as far as known; for telemetry
   * @param proxied the destination for the PROXY header that the application wants in front (HBONE
   *     reference 1.12), or null where it wants none
   */
  record Resolved(
      InetAddress address, int port, @Nullable Service service, @Nullable InetSocketAddress proxied)
      implements InboundTarget {}

  /**
   * Nothing that this workload serves.
   *
   * @param status answer to the CONNECT
   * @param reason for the log
   */
  record Rejected(int status, String reason) implements InboundTarget {}
}
