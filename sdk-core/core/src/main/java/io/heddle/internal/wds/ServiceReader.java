// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.wds;

import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.LoadBalancing.HealthPolicy;
import io.heddle.internal.state.LoadBalancing.Mode;
import io.heddle.internal.state.LoadBalancing.RoutingScope;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.NetworkCidr;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.SharedParts;
import io.heddle.internal.state.Visibility;
import io.heddle.internal.state.WeightedWaypoint;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes services of their messages. A value of an enumeration that is not known yet loses no
 * service (reference 11): dialling its address would then leave the mesh.
 */
final class ServiceReader {

  private final SharedParts parts;

  ServiceReader(SharedParts parts) {
    this.parts = parts;
  }

  Service read(io.heddle.internal.proto.workload.Service message) {
    Service.Builder service =
        Service.builder(
                parts.text(message.getName()),
                AddressReader.name(message.getNamespace(), message.getHostname(), parts))
            .ports(AddressReader.ports(message.getPortsList(), parts))
            .subjectAltNames(List.copyOf(message.getSubjectAltNamesList()))
            .weightedWaypoints(
                message.getWeightedWaypointsList().stream().map(this::weighted).toList())
            .ipFamilies(ipFamilies(message))
            .canonical(message.getCanonical())
            .visibility(visibility(message));
    readAddresses(message, service);
    if (message.hasWaypoint()) {
      service.waypoint(AddressReader.gateway(message.getWaypoint(), parts));
    }
    if (message.hasLoadBalancing()) {
      service.loadBalancing(loadBalancing(message.getLoadBalancing()));
    }
    return service.build();
  }

  private void readAddresses(
      io.heddle.internal.proto.workload.Service message, Service.Builder service) {
    List<NetworkAddress> vips = new ArrayList<>(message.getAddressesCount());
    List<NetworkCidr> ranges = new ArrayList<>(0);
    for (var address : message.getAddressesList()) {
      if (address.hasLength()) {
        ranges.add(AddressReader.range(address, parts));
      } else {
        vips.add(AddressReader.networkAddress(address, parts));
      }
    }
    service.vips(vips).cidrVips(ranges);
  }

  private WeightedWaypoint weighted(io.heddle.internal.proto.workload.WeightedWaypoint message) {
    return new WeightedWaypoint(
        AddressReader.gateway(message.getDestination(), parts),
        Integer.toUnsignedLong(message.getWeight()));
  }

  private static IpFamilies ipFamilies(io.heddle.internal.proto.workload.Service message) {
    return switch (message.getIpFamilies()) {
      case AUTOMATIC, UNRECOGNIZED -> IpFamilies.AUTOMATIC;
      case IPV4_ONLY -> IpFamilies.IPV4_ONLY;
      case IPV6_ONLY -> IpFamilies.IPV6_ONLY;
      case DUAL -> IpFamilies.DUAL;
    };
  }

  /** A kind of visibility that is not known yet hides nothing (reference 3.4). */
  private static Visibility visibility(io.heddle.internal.proto.workload.Service message) {
    return switch (message.getVisibility()) {
      case NAMESPACE -> Visibility.NAMESPACE;
      case PUBLIC, UNRECOGNIZED -> Visibility.PUBLIC;
    };
  }

  private static LoadBalancing loadBalancing(
      io.heddle.internal.proto.workload.LoadBalancing message) {
    Mode mode =
        switch (message.getMode()) {
          case UNSPECIFIED_MODE, UNRECOGNIZED -> Mode.UNSPECIFIED;
          case STRICT -> Mode.STRICT;
          case FAILOVER -> Mode.FAILOVER;
          case PASSTHROUGH -> Mode.PASSTHROUGH;
        };
    HealthPolicy healthPolicy =
        switch (message.getHealthPolicy()) {
          case ONLY_HEALTHY, UNRECOGNIZED -> HealthPolicy.ONLY_HEALTHY;
          case ALLOW_ALL -> HealthPolicy.ALLOW_ALL;
        };
    return new LoadBalancing(
        mode,
        message.getRoutingPreferenceList().stream().flatMap(ServiceReader::scope).toList(),
        healthPolicy);
  }

  private static Stream<RoutingScope> scope(
      io.heddle.internal.proto.workload.LoadBalancing.Scope scope) {
    return switch (scope) {
      case REGION -> Stream.of(RoutingScope.REGION);
      case ZONE -> Stream.of(RoutingScope.ZONE);
      case SUBZONE -> Stream.of(RoutingScope.SUBZONE);
      case NODE -> Stream.of(RoutingScope.NODE);
      case CLUSTER -> Stream.of(RoutingScope.CLUSTER);
      case NETWORK -> Stream.of(RoutingScope.NETWORK);
      case UNSPECIFIED_SCOPE, UNRECOGNIZED -> Stream.empty();
    };
  }
}
