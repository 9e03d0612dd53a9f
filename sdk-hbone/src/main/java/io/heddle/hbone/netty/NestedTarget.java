// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.hbone.TunnelHeaders;
import io.heddle.identity.SpiffeId;
import java.util.List;

/**
 * Where to open a tunnel through the gateway of another network (double HBONE). The gateway ends
 * only the outer tunnel, and chooses by the authority whom it pipes the bytes inside to; so both
 * CONNECTs ask for the same authority, and the inner one alone names the source network.
 *
 * @param gateway the outer tunnel; its authority is a service's host name and port
 * @param expectedIdentities who may answer behind the gateway: the names of the service, since the
 *     gateway may choose workloads that are not known here
 * @param sourceNetwork the network that the tunnel comes from; may be empty
 */
public record NestedTarget(
    TunnelTarget gateway, List<SpiffeId> expectedIdentities, String sourceNetwork) {

  /**
   * Makes a target.
   *
   * @param gateway the outer tunnel
   * @param expectedIdentities who may answer behind the gateway
   * @param sourceNetwork the network that the tunnel comes from
   * @throws IllegalArgumentException if nobody is expected behind the gateway, or the outer CONNECT
   *     names a network
   */
  public NestedTarget {
    expectedIdentities = List.copyOf(expectedIdentities);
    if (expectedIdentities.isEmpty()) {
      throw new IllegalArgumentException(
          "expectedIdentities: none (expected: the subject alternative names of the service)");
    }
    if (gateway.headers().forwardedNetwork() != null) {
      throw new IllegalArgumentException(
          "x-forwarded-network on the outer CONNECT (expected: on the inner one only)");
    }
  }

  /**
   * What travels with the inner CONNECT.
   *
   * @return the headers of the outer one and {@code x-forwarded-network}
   */
  public TunnelHeaders innerHeaders() {
    return gateway.headers().withForwardedNetwork(sourceNetwork);
  }
}
