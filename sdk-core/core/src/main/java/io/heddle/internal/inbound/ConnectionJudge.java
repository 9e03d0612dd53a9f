// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.identity.SpiffeId;
import io.heddle.internal.policy.ConnectionAttributes;
import io.heddle.internal.policy.Verdict;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import java.util.List;

/**
 * What policies say about one connection, when it is opened and whenever they change. Its
 * attributes are those of connect time; the workload's references to policies are today's. A record
 * that has gone cuts nothing: it goes before its pod does, and until then its last word counts.
 * Confined to the event loop of the connection.
 */
final class ConnectionJudge {

  private final TunnelTerminator terminator;
  private final ConnectionAttributes attributes;
  private Workload own;

  ConnectionJudge(TunnelTerminator terminator, Workload own, ConnectionAttributes attributes) {
    this.terminator = terminator;
    this.own = own;
    this.attributes = attributes;
  }

  Verdict verdict() {
    Workload now = terminator.own();
    if (now != null) {
      own = now;
    }
    MeshSnapshot mesh = terminator.mesh();
    SpiffeId peer = attributes.peer();
    if (terminator.requiresWaypoint() && Waypoints.isBypassed(mesh, own, peer)) {
      return new Verdict.Denied(
          Verdict.Reason.WAYPOINT_BYPASSED,
          null,
          "the connection of "
              + (peer == null ? "a caller in plain text" : peer)
              + " did not come through this workload's waypoint",
          List.of());
    }
    return mesh.policies()
        .forDestination(own.namespace(), own.authorizationPolicies())
        .evaluate(attributes);
  }

  ConnectionAttributes attributes() {
    return attributes;
  }

  /** The workload that the connection is for, as last known. */
  Workload own() {
    return own;
  }
}
