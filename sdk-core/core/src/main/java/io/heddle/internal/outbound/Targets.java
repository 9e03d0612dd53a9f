// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.outbound;

import io.heddle.hbone.Authority;
import io.heddle.hbone.netty.NestedTarget;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.route.Decision;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.BaggageText;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the HBONE client is asked for, to carry a decision out for a workload. */
record Targets(Workload source, BaggageText baggage) {

  /** The place of the decision, and its alternatives. */
  List<TunnelTarget> of(Decision.Hbone to) {
    List<TunnelTarget> targets = new ArrayList<>();
    targets.add(target(to.address(), to.expectedIdentities(), to.authority(), to.service()));
    for (Decision.Hbone.Place other : to.alternatives()) {
      targets.add(
          target(other.address(), to.expectedIdentities(), other.authority(), to.service()));
    }
    return targets;
  }

  NestedTarget of(Decision.DoubleHbone to) {
    return new NestedTarget(
        target(to.gatewayAddress(), to.gatewayIdentities(), to.authority(), to.service()),
        to.innerIdentities(),
        source.network());
  }

  private TunnelTarget target(
      InetSocketAddress address,
      List<SpiffeId> identities,
      Authority authority,
      @Nullable Service service) {
    SourceHeaders headers = new SourceHeaders(source, baggage);
    return new TunnelTarget(
        address,
        identities,
        headers.address(address.getAddress()),
        authority,
        headers.towards(service));
  }
}
