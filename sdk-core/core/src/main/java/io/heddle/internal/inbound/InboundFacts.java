// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.hbone.Baggage;
import io.heddle.hbone.Forwarded;
import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.inbound.InboundTarget.Resolved;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.ConnectionFacts;
import io.heddle.internal.telemetry.WorkloadParty;
import io.heddle.spi.ConnectionLabels;
import io.heddle.spi.ConnectionLabels.Party;
import io.heddle.spi.ConnectionLabels.Reporter;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** What an inbound tunnel is counted and logged under (HBONE reference 7.1, label rules). */
final class InboundFacts {

  private InboundFacts() {}

  static ConnectionFacts of(
      MeshSnapshot mesh, Workload own, SpiffeId identity, TunnelRequest request, Resolved target) {
    Workload source = source(mesh, own, request);
    Party initiator = source != null ? WorkloadParty.of(source) : described(request);
    Service service = service(mesh, own, request, target);
    return new ConnectionFacts(
        new ConnectionLabels(
            Reporter.DESTINATION,
            initiator.withPrincipal(request.peer().id().toString()),
            WorkloadParty.of(own).withPrincipal(identity.toString()),
            service == null ? "" : service.hostname(),
            service == null ? "" : service.namespace(),
            service == null ? "" : service.name(),
            true),
        request.remoteAddress().getAddress(),
        request.remoteAddress().getPort(),
        source,
        request.localAddress().getAddress(),
        request.localAddress().getPort(),
        request.authority(),
        own);
  }

  /** Of a caller in plain text, of whom only the address is known. */
  static ConnectionFacts ofPlain(
      MeshSnapshot mesh, Workload own, InetSocketAddress caller, InetSocketAddress local) {
    Workload source = mesh.workload(own.network(), caller.getAddress());
    Service service = TargetResolver.serviceOn(mesh, own, local.getPort());
    return new ConnectionFacts(
        new ConnectionLabels(
            Reporter.DESTINATION,
            WorkloadParty.of(source),
            WorkloadParty.of(own),
            service == null ? "" : service.hostname(),
            service == null ? "" : service.namespace(),
            service == null ? "" : service.name(),
            false),
        caller.getAddress(),
        caller.getPort(),
        source,
        local.getAddress(),
        local.getPort(),
        null,
        own);
  }

  /** By address, but not through a gateway: then the address is the gateway's. */
  private static @Nullable Workload source(MeshSnapshot mesh, Workload own, TunnelRequest request) {
    String network = request.headers().forwardedNetwork();
    return network == null || network.equalsIgnoreCase(own.network())
        ? mesh.workload(own.network(), request.remoteAddress().getAddress())
        : null;
  }

  private static Party described(TunnelRequest request) {
    String baggage = request.headers().baggage();
    return baggage == null ? Party.UNKNOWN : WorkloadParty.of(Baggage.parse(baggage));
  }

  /** The host that the initiator meant, if it is one of ours; else a guess by port. */
  private static @Nullable Service service(
      MeshSnapshot mesh, Workload own, TunnelRequest request, Resolved target) {
    String forwarded = request.headers().forwarded();
    String host = forwarded == null ? null : Forwarded.parseHost(forwarded).orElse(null);
    if (host != null) {
      for (NamespacedHostname served : own.services().keySet()) {
        if (served.hostname().equals(host)) {
          return mesh.service(served);
        }
      }
    }
    return target.service();
  }
}
