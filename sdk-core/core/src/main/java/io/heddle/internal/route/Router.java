// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.route;

import io.heddle.hbone.Authority;
import io.heddle.internal.route.RouteSettings.UnknownDestinations;
import io.heddle.internal.route.Selection.Purpose;
import io.heddle.internal.state.Endpoint;
import io.heddle.internal.state.Endpoints;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Workload;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides where the connections of a workload go, by the algorithm of HBONE reference 2.1.
 *
 * <p>It departs from the peers where they would pass in plain text or fail later what can be
 * refused at once: a service without a usable endpoint is refused even if the address is also a
 * workload's; an endpoint that no gateway leads to is not chosen; a peer whose identity cannot be
 * known is not dialled. And a waypoint does not send to itself what was addressed to its service.
 */
public final class Router {

  private final RouteSettings settings;
  private final ServiceNames names;
  private final EndpointStandings standings;
  private final LoadBalancer balancer;

  /** A router that chooses endpoints as the peers do. */
  public Router(RouteSettings settings) {
    this(settings, new EndpointStandings(Balancing.LIKE_PEERS, System::nanoTime));
  }

  /**
   * Makes a router. One serves every client of a process; any thread may ask it.
   *
   * @param standings told by whoever carries decisions out
   */
  public Router(RouteSettings settings, EndpointStandings standings) {
    this.settings = settings;
    this.standings = standings;
    this.balancer = new LoadBalancer(standings);
    this.names = new ServiceNames(settings.clusterDomain(), settings.preferredNamespace());
  }

  /** Decides on one connection. */
  public Decision route(RouteRequest request) {
    if (!(request.destination() instanceof Authority.Ip ip)) {
      return toName(request, ((Authority.Name) request.destination()).host());
    }
    boolean own = ip.address().isLoopbackAddress() || request.source().hasAddress(ip.address());
    return own && settings.ownPorts().contains(ip.port())
        ? deliveryOf(request).refuse(Refusal.LOOP_DETECTED, "it is a port of the mesh itself")
        : toAddress(request, ip.address());
  }

  private Decision toAddress(RouteRequest request, InetAddress address) {
    Workload source = request.source();
    Delivery delivery = deliveryOf(request);
    Service addressed = serviceAddressed(request, address);
    GatewayAddress waypoint = addressed == null ? null : waypointOf(request, addressed);
    if (addressed != null && waypoint != null) {
      return delivery.throughServiceWaypoint(waypoint, addressed, request.destination());
    }
    Service balanced = request.state().serviceByVip(source.network(), address, source.namespace());
    if (balanced != null) {
      return isPassthrough(balanced)
          ? passThrough(request, address)
          : toService(request, balanced, address);
    }
    Workload workload = request.state().workload(source.network(), address);
    if (workload != null) {
      return delivery.toEndpoint(new Selection.Chosen(workload, request.port(), null), address);
    }
    if (addressed == null) {
      return toStranger(request, address);
    }
    return isPassthrough(addressed)
        ? passThrough(request, address)
        : delivery.refuse(Refusal.OTHER_NETWORK, addressed.key().toString());
  }

  /**
   * The service whose waypoint counts. A workload at the same address hides it, and it is sought in
   * the configured network, while endpoints are chosen by the workload's: both as the peers do
   * (2.11).
   */
  private @Nullable Service serviceAddressed(RouteRequest request, InetAddress address) {
    String namespace = request.source().namespace();
    return request.state().address(settings.network(), address, namespace)
            instanceof Service service
        ? service
        : null;
  }

  private Decision toStranger(RouteRequest request, InetAddress address) {
    return settings.unknownDestinations() == UnknownDestinations.REFUSE
            && !address.isLoopbackAddress()
        ? deliveryOf(request).refuse(Refusal.UNKNOWN_DESTINATION, "")
        : passThrough(request, address);
  }

  private static Decision passThrough(RouteRequest request, InetAddress address) {
    return new Decision.Passthrough(new InetSocketAddress(address, request.port()));
  }

  private Decision toName(RouteRequest request, String hostname) {
    ServiceNames.Found found = names.find(request.state(), hostname, request.source().namespace());
    if (found == null) {
      return resolve(request, hostname);
    }
    Service service = found.service();
    if (service.vips().isEmpty()) {
      return toHeadless(request, service);
    }
    InetAddress vip = vipOf(request, service);
    GatewayAddress waypoint = waypointOf(request, service);
    if (waypoint != null) {
      return toNamedThroughWaypoint(request, service, waypoint, vip);
    }
    return isPassthrough(service) ? resolve(request, hostname) : toService(request, service, vip);
  }

  /** A service without a VIP on this network is asked for by name; waypoints know those (1.4). */
  private Decision toNamedThroughWaypoint(
      RouteRequest request, Service service, GatewayAddress waypoint, @Nullable InetAddress vip) {
    Delivery delivery = deliveryOf(request);
    Authority original =
        vip == null
            ? delivery.nameOf(service).orElse(request.destination())
            : new Authority.Ip(vip, request.port());
    return delivery.throughServiceWaypoint(waypoint, service, original);
  }

  private Decision resolve(RouteRequest request, String hostname) {
    return new Decision.Resolve(
        hostname, null, request.family(), address -> route(request.to(address)));
  }

  /**
   * Goes where the name's DNS answer would lead, to a pod's address and the very port (2.8). What
   * stands there then decides, so a workload's waypoint counts and the service's does not.
   */
  private Decision toHeadless(RouteRequest request, Service service) {
    Endpoints endpoints = request.state().endpoints(service.key());
    List<InetAddress> addresses = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    for (Endpoint endpoint : endpoints.all()) {
      Workload workload = endpoint.workload();
      int unfitness = standings.unfitness(workload.uid(), request.avoided());
      InetAddress address = DialAddress.of(workload, service.ipFamilies(), null, request.family());
      if (address == null
          || unfitness > least
          || !workload.network().equals(request.source().network())) {
        continue;
      }
      if (unfitness < least) {
        least = unfitness;
        addresses.clear();
      }
      addresses.add(address);
    }
    if (addresses.isEmpty()) {
      Refusal reason =
          endpoints.size() == 0 && endpoints.withheld() > 0
              ? Refusal.NONE_HEALTHY
              : Refusal.NO_ENDPOINTS;
      return deliveryOf(request).refuse(reason, service.key() + " is headless");
    }
    return route(request.to(addresses.get(request.random().nextInt(addresses.size()))));
  }

  private Decision toService(RouteRequest request, Service service, @Nullable InetAddress dialled) {
    Selection selection = balancer.choose(request, service, request.port(), Purpose.DESTINATION);
    Delivery delivery = deliveryOf(request);
    if (selection instanceof Selection.Chosen chosen) {
      return delivery.toEndpoint(chosen, dialled);
    }
    Selection.Shortage shortage = (Selection.Shortage) selection;
    return delivery.refuse(shortage.reason(), shortage.detail());
  }

  /**
   * The waypoint for one connection, or null if there is none or the source is behind it itself.
   */
  private static @Nullable GatewayAddress waypointOf(RouteRequest request, Service service) {
    GatewayAddress reference = Waypoints.sample(service, request.random());
    return reference == null || GatewayLookup.leadsTo(request.state(), reference, request.source())
        ? null
        : reference;
  }

  /** The address that DNS would give to this client, or null if there is none on its network. */
  private static @Nullable InetAddress vipOf(RouteRequest request, Service service) {
    List<InetAddress> local = new ArrayList<>();
    for (NetworkAddress vip : service.vips()) {
      if (vip.network().equals(request.source().network())) {
        local.add(vip.address());
      }
    }
    return DialAddress.firstOf(local, service.ipFamilies(), request.family());
  }

  private static boolean isPassthrough(Service service) {
    return service.loadBalancing().mode() == LoadBalancing.Mode.PASSTHROUGH;
  }

  private Delivery deliveryOf(RouteRequest request) {
    return new Delivery(request, balancer, settings.ownPorts());
  }
}
