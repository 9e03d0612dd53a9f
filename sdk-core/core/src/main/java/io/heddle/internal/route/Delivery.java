// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.hbone.Authority;
import io.heddle.hbone.InvalidAuthorityException;
import io.heddle.identity.SpiffeId;
import io.heddle.internal.route.Decision.Hbone.Place;
import io.heddle.internal.route.Selection.Chosen;
import io.heddle.internal.route.Selection.Purpose;
import io.heddle.internal.route.Selection.Shortage;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How one request gets to a chosen workload: plainly, by a tunnel, through a waypoint or through
 * the gateway of another network (HBONE reference 2.1, steps 7 to 9).
 */
final class Delivery {

  private static final int HBONE_PORT = 15008;

  private final RouteRequest request;
  private final LoadBalancer balancer;
  private final Set<Integer> ownPorts;

  Delivery(RouteRequest request, LoadBalancer balancer, Set<Integer> ownPorts) {
    this.request = request;
    this.balancer = balancer;
    this.ownPorts = ownPorts;
  }

  Decision refuse(Refusal reason, String detail) {
    return new Decision.Refused(reason, request.destination(), detail);
  }

  /**
   * To the destination.
   *
   * @param dialled the address that the application dialled, or null if it used a name
   */
  Decision toEndpoint(Chosen endpoint, @Nullable InetAddress dialled) {
    if (isRemote(endpoint)) {
      return acrossNetworks(endpoint, endpoint.service(), false);
    }
    GatewayAddress waypoint = endpoint.workload().waypoint();
    if (endpoint.service() == null && waypoint != null && !leadsToSource(waypoint)) {
      return throughWorkloadWaypoint(waypoint);
    }
    // Who dials a pod's own address means that one, and no other.
    boolean addressed = dialled != null && endpoint.workload().hasAddress(dialled);
    return dial(
        endpoint,
        dialled,
        familyOf(dialled),
        address ->
            atEndpoint(endpoint, address, addressed ? List.of() : others(endpoint, address)));
  }

  private static List<InetAddress> others(Chosen chosen, InetAddress than) {
    return DialAddress.others(chosen.workload(), chosen.ipFamilies(), than);
  }

  private static List<Place> places(
      List<InetAddress> addresses, int port, Function<InetAddress, Authority> authority) {
    List<Place> places = new ArrayList<>(addresses.size());
    for (InetAddress address : addresses) {
      places.add(new Place(new InetSocketAddress(address, port), authority.apply(address)));
    }
    return places;
  }

  private Decision atEndpoint(Chosen endpoint, InetAddress address, List<InetAddress> others) {
    Workload workload = endpoint.workload();
    int port = endpoint.port();
    if (workload.uid().equals(request.source().uid()) && ownPorts.contains(port)) {
      return refuse(Refusal.LOOP_DETECTED, "it leads to this workload's own port " + port);
    }
    if (workload.protocol() != Protocol.HBONE) {
      return new Decision.Plain(new InetSocketAddress(address, port), workload, endpoint.service());
    }
    List<SpiffeId> identities = ExpectedIdentities.of(endpoint);
    return identities.isEmpty()
        ? unknownIdentity(workload)
        : new Decision.Hbone(
            new InetSocketAddress(address, HBONE_PORT),
            new Authority.Ip(address, port),
            identities,
            workload,
            endpoint.service(),
            false,
            places(others, HBONE_PORT, other -> new Authority.Ip(other, port)));
  }

  /**
   * Through the waypoint of a service.
   *
   * @param original what the waypoint is asked for
   */
  Decision throughServiceWaypoint(GatewayAddress reference, Service service, Authority original) {
    Selection selection = GatewayLookup.choose(request, balancer, reference, Purpose.WAYPOINT);
    if (!(selection instanceof Chosen waypoint)) {
      return unavailable(Refusal.WAYPOINT_UNAVAILABLE, reference, (Shortage) selection);
    }
    return isRemote(waypoint)
        ? acrossNetworks(waypoint, service, true)
        : toWaypoint(waypoint, reference, original, service);
  }

  private Decision throughWorkloadWaypoint(GatewayAddress reference) {
    Selection selection = GatewayLookup.choose(request, balancer, reference, Purpose.WAYPOINT);
    if (!(selection instanceof Chosen waypoint)) {
      return unavailable(Refusal.WAYPOINT_UNAVAILABLE, reference, (Shortage) selection);
    }
    return isRemote(waypoint)
        ? refuse(Refusal.NOT_A_SERVICE, "its waypoint " + reference + " is on another network")
        : toWaypoint(waypoint, reference, request.destination(), null);
  }

  private Decision toWaypoint(
      Chosen waypoint, GatewayAddress reference, Authority original, @Nullable Service service) {
    List<SpiffeId> identities = ExpectedIdentities.of(waypoint);
    if (identities.isEmpty()) {
      return unknownIdentity(waypoint.workload());
    }
    InetAddress addressed = original instanceof Authority.Ip ip ? ip.address() : null;
    return dialGateway(
        waypoint,
        reference,
        familyOf(addressed),
        address ->
            new Decision.Hbone(
                new InetSocketAddress(address, waypoint.port()),
                original,
                identities,
                waypoint.workload(),
                service,
                true,
                reference instanceof GatewayAddress.ByAddress
                    ? List.of()
                    : places(others(waypoint, address), waypoint.port(), other -> original)));
  }

  /**
   * To a workload, the destination's or a waypoint, of another network.
   *
   * @param service the service that was asked for, or null
   * @param viaWaypoint whether the workload is a waypoint
   */
  private Decision acrossNetworks(Chosen endpoint, @Nullable Service service, boolean viaWaypoint) {
    Workload workload = endpoint.workload();
    GatewayAddress reference = workload.networkGateway();
    Optional<Authority> authority = service == null ? Optional.empty() : nameOf(service);
    if (service == null || authority.isEmpty()) {
      return refuse(Refusal.NOT_A_SERVICE, workload.uid() + " is on " + workload.network());
    }
    if (reference == null) {
      return refuse(Refusal.OTHER_NETWORK, workload.uid() + " is on " + workload.network());
    }
    Selection selection = GatewayLookup.choose(request, balancer, reference, Purpose.GATEWAY);
    if (!(selection instanceof Chosen gateway)) {
      return unavailable(Refusal.GATEWAY_UNAVAILABLE, reference, (Shortage) selection);
    }
    // The gateway chooses among workloads that may not be known here: only names of the service
    // count (1.11).
    List<SpiffeId> inner = ExpectedIdentities.of(endpoint.service());
    if (inner.isEmpty()) {
      return refuse(
          Refusal.NO_SERVICE_IDENTITY,
          (endpoint.service() == null ? workload.uid() : endpoint.service().key().toString())
              + " behind "
              + reference);
    }
    List<SpiffeId> outer = ExpectedIdentities.of(gateway);
    if (outer.isEmpty()) {
      return unknownIdentity(gateway.workload());
    }
    return dialGateway(
        gateway,
        reference,
        request.family(),
        address ->
            new Decision.DoubleHbone(
                new InetSocketAddress(address, gateway.port()),
                authority.get(),
                outer,
                inner,
                gateway.workload(),
                workload,
                service,
                viaWaypoint));
  }

  /** The service's host name, or what was asked for where that is a wildcard; empty if neither. */
  Optional<Authority> nameOf(Service service) {
    try {
      return Optional.of(new Authority.Name(service.hostname(), request.port()));
    } catch (InvalidAuthorityException wildcard) {
      return request.destination() instanceof Authority.Name name
          ? Optional.of(name)
          : Optional.empty();
    }
  }

  private Decision dialGateway(
      Chosen gateway,
      GatewayAddress reference,
      StandardProtocolFamily family,
      Function<InetAddress, Decision> then) {
    InetAddress named =
        reference instanceof GatewayAddress.ByAddress at ? at.address().address() : null;
    return dial(gateway, named, named == null ? family : DialAddress.familyOf(named), then);
  }

  private Decision dial(
      Chosen chosen,
      @Nullable InetAddress dialled,
      StandardProtocolFamily family,
      Function<InetAddress, Decision> then) {
    Workload workload = chosen.workload();
    InetAddress address = DialAddress.of(workload, chosen.ipFamilies(), dialled, family);
    if (address != null) {
      return then.apply(address);
    }
    return workload.hostname().isEmpty()
        ? refuse(Refusal.NO_ADDRESS, workload.uid())
        : new Decision.Resolve(workload.hostname(), workload, family, then);
  }

  private boolean isRemote(Chosen chosen) {
    return !chosen.workload().network().equals(request.source().network());
  }

  private boolean leadsToSource(GatewayAddress reference) {
    return GatewayLookup.leadsTo(request.state(), reference, request.source());
  }

  private StandardProtocolFamily familyOf(@Nullable InetAddress dialled) {
    return dialled == null ? request.family() : DialAddress.familyOf(dialled);
  }

  private Decision unavailable(Refusal reason, GatewayAddress reference, Shortage shortage) {
    return refuse(
        reason, reference + ": " + shortage.reason().summary() + ", " + shortage.detail());
  }

  private Decision unknownIdentity(Workload workload) {
    return refuse(Refusal.UNKNOWN_IDENTITY, workload.uid());
  }
}
