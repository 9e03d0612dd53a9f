// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.Forwarded;
import io.heddle.hbone.Traceparent;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.BaggageText;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** What a workload says of itself to the peers that it opens tunnels to (HBONE reference 1.5). */
record SourceHeaders(Workload source, BaggageText baggage) {

  /** Nobody reads it, and no socket of the application stands behind a tunnel to have a port. */
  private static final int NO_SOURCE_PORT = 1;

  /**
   * The headers of one CONNECT.
   *
   * @param service the service that was meant, or null
   */
  TunnelHeaders towards(@Nullable Service service) {
    InetAddress from = address(null);
    String forwarded =
        from == null
            ? null
            : new Forwarded(from, NO_SOURCE_PORT, service == null ? null : service.hostname())
                .encode();
    return new TunnelHeaders(
        baggage.of(source),
        forwarded,
        Traceparent.random(ThreadLocalRandom.current()).value(),
        null);
  }

  /** The own address of the peer's family, so that policies on addresses see this workload. */
  @Nullable InetAddress address(@Nullable InetAddress peer) {
    List<InetAddress> addresses = source.addresses();
    for (InetAddress address : addresses) {
      if (peer == null || address.getClass() == peer.getClass()) {
        return address;
      }
    }
    return null;
  }
}
