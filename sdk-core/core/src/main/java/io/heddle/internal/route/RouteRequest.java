// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.hbone.Authority;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A connection that a workload wants to make.
 *
 * @param state the mesh as it is now
 * @param source the workload's own record
 * @param destination what the application asks for
 * @param family the address family to prefer where the destination has none of its own
 * @param random decides between equals
 * @param avoided uids of endpoints that are chosen only if there are no others
 */
public record RouteRequest(
    MeshSnapshot state,
    Workload source,
    Authority destination,
    StandardProtocolFamily family,
    RandomGenerator random,
    Set<String> avoided) {

  /** A connection that is wanted for the first time. */
  public RouteRequest(
      MeshSnapshot state,
      Workload source,
      Authority destination,
      StandardProtocolFamily family,
      RandomGenerator random) {
    this(state, source, destination, family, random, Set.of());
  }

  /** The same wish after some endpoints have failed. */
  public RouteRequest avoiding(Set<String> endpoints) {
    return new RouteRequest(state, source, destination, family, random, endpoints);
  }

  /** The same wish for an address in place of a name. */
  RouteRequest to(InetAddress address) {
    return new RouteRequest(
        state, source, new Authority.Ip(address, destination.port()), family, random, avoided);
  }

  int port() {
    return destination.port();
  }
}
