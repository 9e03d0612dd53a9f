// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.telemetry;

import io.heddle.hbone.Authority;
import io.heddle.internal.state.Workload;
import io.heddle.spi.ConnectionLabels;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a connection when it has been decided about. Every open connection keeps one: it
 * refers to what others have too, and is made into text when there is something to log.
 *
 * @param labels the metric labels
 * @param source address of the initiator, or null for its workload's, if that is known
 * @param sourcePort its port, 0 when it is unknown
 * @param sourceWorkload its workload, or null
 * @param destination address of the next hop
 * @param destinationPort its port, of a tunnel the HBONE port
 * @param authority what the CONNECT asks for; null in plain TCP
 * @param destinationWorkload the destination's workload, or null
 */
public record ConnectionFacts(
    ConnectionLabels labels,
    @Nullable InetAddress source,
    int sourcePort,
    @Nullable Workload sourceWorkload,
    InetAddress destination,
    int destinationPort,
    @Nullable Authority authority,
    @Nullable Workload destinationWorkload) {

  /** Where the initiator is, or null when that is unknown. */
  @Nullable InetAddress sourceAddress() {
    if (source != null || sourceWorkload == null || sourceWorkload.addresses().isEmpty()) {
      return source;
    }
    return sourceWorkload.addresses().get(0);
  }

  /** The same with labels that are equal. */
  ConnectionFacts with(ConnectionLabels same) {
    return new ConnectionFacts(
        same,
        source,
        sourcePort,
        sourceWorkload,
        destination,
        destinationPort,
        authority,
        destinationWorkload);
  }
}
