// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.hbone.Authority;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What is done with a connection. */
public sealed interface Decision {

  /** The uid of the workload that is dialled, or null where none is known. */
  default @Nullable String endpoint() {
    if (this instanceof Hbone to) {
      return to.workload().uid();
    }
    if (this instanceof Plain to) {
      return to.workload().uid();
    }
    return this instanceof DoubleHbone to ? to.gateway().uid() : null;
  }

  /**
   * It leaves the mesh: plain TCP to where the application dialled.
   *
   * @param address where
   */
  record Passthrough(InetSocketAddress address) implements Decision {}

  /**
   * Plain TCP to a workload that is known and takes no tunnels.
   *
   * @param address where to dial
   * @param workload who is there
   * @param service the service that was meant, or null
   */
  record Plain(InetSocketAddress address, Workload workload, @Nullable Service service)
      implements Decision {}

  /**
   * A tunnel.
   *
   * @param address where to dial
   * @param authority what to ask for
   * @param expectedIdentities who may answer; never empty
   * @param workload who is there: the destination, or its waypoint
   * @param service the service that was meant, or null
   * @param viaWaypoint whether the tunnel ends at a waypoint
   * @param alternatives where else the same workload is, should it not be reached at the address
   */
  record Hbone(
      InetSocketAddress address,
      Authority authority,
      List<SpiffeId> expectedIdentities,
      Workload workload,
      @Nullable Service service,
      boolean viaWaypoint,
      List<Place> alternatives)
      implements Decision {
    /** Copies the lists. */
    public Hbone {
      expectedIdentities = List.copyOf(expectedIdentities);
      alternatives = List.copyOf(alternatives);
    }

    /** The same, known to have come about at one of its places. */
    public Hbone at(InetSocketAddress reached, Authority asked) {
      return new Hbone(
          reached, asked, expectedIdentities, workload, service, viaWaypoint, List.of());
    }

    /**
     * One of the addresses of a workload.
     *
     * @param address where to dial
     * @param authority what to ask for there
     */
    public record Place(InetSocketAddress address, Authority authority) {}
  }

  /**
   * A tunnel to the gateway of another network, and in it a tunnel to the destination (HBONE
   * reference 1.11). Both ask for the same authority.
   *
   * @param gatewayAddress where to dial
   * @param authority what to ask for
   * @param gatewayIdentities who may answer at the gateway; never empty
   * @param innerIdentities who may answer behind it; never empty
   * @param gateway the gateway's workload
   * @param workload the endpoint that led there; the gateway chooses the one that answers
   * @param service the service that was meant
   * @param viaWaypoint whether the tunnel ends at a waypoint of that network
   */
  record DoubleHbone(
      InetSocketAddress gatewayAddress,
      Authority authority,
      List<SpiffeId> gatewayIdentities,
      List<SpiffeId> innerIdentities,
      Workload gateway,
      Workload workload,
      Service service,
      boolean viaWaypoint)
      implements Decision {
    /** Copies the lists. */
    public DoubleHbone {
      gatewayIdentities = List.copyOf(gatewayIdentities);
      innerIdentities = List.copyOf(innerIdentities);
    }
  }

  /**
   * Nothing is decided before a host name has been resolved: the application's, when the mesh does
   * not know it, or that of a workload without addresses.
   *
   * <p>An unknown name is resolved and not just dialled, because its address may be that of a pod
   * or lie in a service's range, and then the mesh's rules hold for it.
   *
   * @param hostname the name
   * @param workload whose name it is, or null where the application itself used it
   * @param family the address family to prefer among a workload's
   * @param continuation makes the decision once there is an address
   */
  record Resolve(
      String hostname,
      @Nullable Workload workload,
      StandardProtocolFamily family,
      Function<InetAddress, Decision> continuation)
      implements Decision {

    /**
     * One of the name's addresses: for a workload a random one of the family, else of the other
     * (HBONE reference 2.5); for a stranger the one that the resolver prefers.
     *
     * @param addresses at least one
     */
    public InetAddress choose(List<InetAddress> addresses, RandomGenerator random) {
      return workload == null
          ? IpAddresses.canonical(addresses.get(0))
          : DialAddress.randomOf(addresses, family, random);
    }

    /** The decision for one of the name's addresses. */
    public Decision at(InetAddress address) {
      return continuation.apply(address);
    }
  }

  /**
   * It is not made.
   *
   * @param reason why
   * @param destination what was asked for
   * @param detail what was found, or empty
   */
  record Refused(Refusal reason, Authority destination, String detail) implements Decision {

    /** What was asked, what was decided and what to do. */
    public String message() {
      String found = detail.isEmpty() ? "" : " (" + detail + ")";
      return destination + ": " + reason.summary() + found + "; " + reason.advice();
    }
  }
}
