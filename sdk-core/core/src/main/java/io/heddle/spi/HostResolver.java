// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.spi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Finds the addresses of host names: of names that the mesh does not know, and of workloads that
 * have a host name in place of addresses.
 *
 * <p>Called on a few threads of the mesh that are there for it, concurrently; it may block. A
 * lookup that takes too long is given up by whoever waits, not by being interrupted.
 */
@FunctionalInterface
public interface HostResolver {

  /**
   * Looks a name up.
   *
   * @param hostname the name, never an address
   * @return its addresses, the preferred ones first; an empty list counts as unknown
   * @throws UnknownHostException if the name has none, or nobody could be asked
   */
  List<InetAddress> resolve(String hostname) throws UnknownHostException;

  /**
   * The resolver of the JDK, with its cache.
   *
   * @return the resolver that a mesh uses when none was given
   */
  static HostResolver system() {
    return hostname -> List.of(InetAddress.getAllByName(hostname));
  }
}
