// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a router knows besides the state of the mesh.
 *
 * @param network the network this process is configured to be in; empty for the default one
 * @param clusterDomain the domain of Kubernetes names
 * @param preferredNamespace whose service is meant by a host name that several namespaces have, or
 *     null
 * @param ownPorts the ports of the mesh itself on this workload's addresses
 * @param unknownDestinations what becomes of connections to strangers
 */
public record RouteSettings(
    String network,
    String clusterDomain,
    @Nullable String preferredNamespace,
    Set<Integer> ownPorts,
    UnknownDestinations unknownDestinations) {

  /** The ports that the peers serve on every pod (HBONE reference 1.1). */
  public static final Set<Integer> MESH_PORTS = Set.of(15001, 15006, 15008);

  /** Copies the set. */
  public RouteSettings {
    ownPorts = Set.copyOf(ownPorts);
  }

  /** What the peers do. */
  public static RouteSettings of(String network) {
    return new RouteSettings(
        network, "cluster.local", null, MESH_PORTS, UnknownDestinations.PASS_THROUGH);
  }

  /** What becomes of connections to destinations that the mesh does not know. */
  public enum UnknownDestinations {
    /** They leave the mesh as plain TCP. */
    PASS_THROUGH,
    /** They are refused. */
    REFUSE
  }
}
