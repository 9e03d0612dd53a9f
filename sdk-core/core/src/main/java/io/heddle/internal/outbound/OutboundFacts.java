// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.Authority;
import io.heddle.hbone.Baggage;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.route.Decision;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.ConnectionFacts;
import io.heddle.internal.telemetry.WorkloadParty;
import io.heddle.spi.ConnectionLabels;
import io.heddle.spi.ConnectionLabels.Party;
import io.heddle.spi.ConnectionLabels.Reporter;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an outbound connection is counted and logged under (HBONE reference 7.1, label rules). */
final class OutboundFacts {

  private OutboundFacts() {}

  static ConnectionFacts of(Workload own, SpiffeId identity, Decision.Passthrough to) {
    return facts(own, "", Party.UNKNOWN, null, null, to.address(), null);
  }

  static ConnectionFacts of(Workload own, SpiffeId identity, Decision.Plain to) {
    return facts(
        own, "", WorkloadParty.of(to.workload()), to.workload(), to.service(), to.address(), null);
  }

  static ConnectionFacts of(Workload own, SpiffeId identity, Decision.Hbone to) {
    return facts(
        own,
        identity.toString(),
        WorkloadParty.of(to.workload()).withPrincipal(principal(to.expectedIdentities())),
        to.workload(),
        to.service(),
        to.address(),
        to.authority());
  }

  /** Of a tunnel that failed: nobody has proven who would have answered behind the gateway. */
  static ConnectionFacts of(Workload own, SpiffeId identity, Decision.DoubleHbone to) {
    return facts(
        own,
        identity.toString(),
        WorkloadParty.of(to.workload()),
        to.workload(),
        to.service(),
        to.gatewayAddress(),
        to.authority());
  }

  /** Of a tunnel through a gateway: the destination is who answered, in its own words. */
  static ConnectionFacts ofAnswer(
      Workload own, SpiffeId identity, Decision.DoubleHbone to, Tunnel answered) {
    Party destination =
        answered
            .responseBaggage()
            .map(baggage -> WorkloadParty.of(Baggage.parse(baggage)))
            .orElse(Party.UNKNOWN);
    return facts(
        own,
        identity.toString(),
        destination.withPrincipal(answered.peer().id().toString()),
        null,
        to.service(),
        to.gatewayAddress(),
        to.authority());
  }

  private static ConnectionFacts facts(
      Workload own,
      String ownPrincipal,
      Party destination,
      @Nullable Workload destinationWorkload,
      @Nullable Service service,
      InetSocketAddress nextHop,
      @Nullable Authority authority) {
    Party source = WorkloadParty.of(own).withPrincipal(ownPrincipal);
    return new ConnectionFacts(
        new ConnectionLabels(
            Reporter.SOURCE,
            source,
            destination,
            service == null ? "" : service.hostname(),
            service == null ? "" : service.namespace(),
            service == null ? "" : service.name(),
            !ownPrincipal.isEmpty()),
        null,
        0,
        own,
        nextHop.getAddress(),
        nextHop.getPort(),
        authority,
        destinationWorkload);
  }

  /** The last is the workload's own id; those before it are names of the service. */
  private static String principal(List<SpiffeId> expected) {
    return expected.get(expected.size() - 1).toString();
  }
}
