// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.hbone.Authority;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.util.random.RandomGenerator;

/**
 * A connection that a workload wants to make.
 *
 * @param state the mesh as it is now
 * @param source the workload's own record
 * @param destination what the application asks for
 * @param family the address family to prefer where the destination has none of its own
 * @param random decides between equals
 */
public record RouteRequest(
    MeshSnapshot state,
    Workload source,
    Authority destination,
    StandardProtocolFamily family,
    RandomGenerator random) {

  /** The same wish for an address in place of a name. */
  RouteRequest to(InetAddress address) {
    return new RouteRequest(
        state, source, new Authority.Ip(address, destination.port()), family, random);
  }

  int port() {
    return destination.port();
  }
}
