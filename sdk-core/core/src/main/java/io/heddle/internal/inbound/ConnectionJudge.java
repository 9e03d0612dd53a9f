// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.internal.inbound.InboundTarget.Resolved;
import io.heddle.internal.policy.ConnectionAttributes;
import io.heddle.internal.policy.Verdict;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.Workload;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What policies say about one connection, when it is opened and whenever they change. Its
 * attributes are those of connect time; the workload's references to policies are today's. A record
 * that has gone cuts nothing: it goes before its pod does, and until then its last word counts.
 * Confined to the event loop of the connection.
 */
final class ConnectionJudge {

  private final Supplier<MeshSnapshot> mesh;
  private final Supplier<@Nullable Workload> known;
  private final ConnectionAttributes attributes;
  private Workload own;

  ConnectionJudge(
      Supplier<MeshSnapshot> mesh,
      Supplier<@Nullable Workload> known,
      Workload own,
      TunnelRequest request,
      Resolved target) {
    this.mesh = mesh;
    this.known = known;
    this.own = own;
    this.attributes =
        new ConnectionAttributes(
            request.remoteAddress().getAddress(),
            request.peer().id(),
            target.address(),
            target.port());
  }

  Verdict verdict() {
    Workload now = known.get();
    if (now != null) {
      own = now;
    }
    return mesh.get()
        .policies()
        .forDestination(own.namespace(), own.authorizationPolicies())
        .evaluate(attributes);
  }

  /** The workload that the connection is for, as last known. */
  Workload own() {
    return own;
  }
}
