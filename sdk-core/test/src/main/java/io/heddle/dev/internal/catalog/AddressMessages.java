// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.dev.internal.catalog;

import com.google.protobuf.ByteString;
import com.google.protobuf.UInt32Value;
import io.heddle.internal.proto.workload.Address;
import io.heddle.internal.proto.workload.ApplicationTunnel;
import io.heddle.internal.proto.workload.GatewayAddress;
import io.heddle.internal.proto.workload.IPFamilies;
import io.heddle.internal.proto.workload.LoadBalancing;
import io.heddle.internal.proto.workload.Locality;
import io.heddle.internal.proto.workload.NamespacedHostname;
import io.heddle.internal.proto.workload.NetworkAddress;
import io.heddle.internal.proto.workload.NetworkMode;
import io.heddle.internal.proto.workload.Port;
import io.heddle.internal.proto.workload.PortList;
import io.heddle.internal.proto.workload.TunnelProtocol;
import io.heddle.internal.proto.workload.WeightedWaypoint;
import io.heddle.internal.proto.workload.WorkloadStatus;
import io.heddle.internal.proto.workload.WorkloadType;
import io.heddle.internal.state.HealthStatus;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Visibility;
import io.heddle.internal.state.Workload;
import java.net.InetAddress;
import java.util.List;

/** Workloads and services as istiod writes them (control-plane reference 3.1 to 3.5). */
final class AddressMessages {

  /** istiod leaves out exactly this trust domain. */
  private static final String DEFAULT_TRUST_DOMAIN = "cluster.local";

  private static final long DEFAULT_CAPACITY = 1;

  private AddressMessages() {}

  static Address of(Workload workload) {
    var message =
        io.heddle.internal.proto.workload.Workload.newBuilder()
            .setUid(workload.uid())
            .setName(workload.name())
            .setNamespace(workload.namespace())
            .setServiceAccount(workload.serviceAccount())
            .setClusterId(workload.clusterId())
            .setNetwork(workload.network())
            .setHostname(workload.hostname())
            .setNode(workload.node())
            .setTunnelProtocol(
                workload.protocol() == Protocol.HBONE ? TunnelProtocol.HBONE : TunnelProtocol.NONE)
            .setNetworkMode(NetworkMode.valueOf(workload.networkMode().name()))
            .setStatus(
                workload.status() == HealthStatus.HEALTHY
                    ? WorkloadStatus.HEALTHY
                    : WorkloadStatus.UNHEALTHY)
            .setNativeTunnel(workload.nativeTunnel())
            .setWorkloadName(workload.workloadName())
            .setWorkloadType(WorkloadType.valueOf(workload.workloadType().name()))
            .setCanonicalName(workload.canonicalName())
            .setCanonicalRevision(workload.canonicalRevision())
            .addAllAuthorizationPolicies(workload.authorizationPolicies());
    if (workload.capacity() != DEFAULT_CAPACITY) {
      message.setCapacity(UInt32Value.of(uint32(workload.capacity())));
    }
    workload.addresses().forEach(address -> message.addAddresses(bytes(address)));
    workload
        .services()
        .forEach((service, ports) -> message.putServices(service.toString(), portList(ports)));
    if (!workload.trustDomain().equals(DEFAULT_TRUST_DOMAIN)) {
      message.setTrustDomain(workload.trustDomain());
    }
    if (!workload.locality().equals(io.heddle.internal.state.Locality.UNKNOWN)) {
      message.setLocality(locality(workload.locality()));
    }
    if (workload.waypoint() != null) {
      message.setWaypoint(gateway(workload.waypoint()));
    }
    if (workload.networkGateway() != null) {
      message.setNetworkGateway(gateway(workload.networkGateway()));
    }
    if (workload.applicationTunnel() != null) {
      message.setApplicationTunnel(tunnel(workload.applicationTunnel()));
    }
    return Address.newBuilder().setWorkload(message).build();
  }

  static Address of(Service service) {
    var message =
        io.heddle.internal.proto.workload.Service.newBuilder()
            .setName(service.name())
            .setNamespace(service.namespace())
            .setHostname(service.hostname())
            .addAllPorts(ports(service.ports()))
            .addAllSubjectAltNames(service.subjectAltNames())
            .setIpFamilies(IPFamilies.valueOf(service.ipFamilies().name()))
            .setCanonical(service.canonical())
            .setVisibility(
                service.visibility() == Visibility.PUBLIC
                    ? io.heddle.internal.proto.workload.Service.Visibility.PUBLIC
                    : io.heddle.internal.proto.workload.Service.Visibility.NAMESPACE);
    service.vips().forEach(vip -> message.addAddresses(address(vip)));
    service
        .cidrVips()
        .forEach(
            range ->
                message.addAddresses(
                    NetworkAddress.newBuilder()
                        .setNetwork(range.network())
                        .setAddress(bytes(range.cidr().network()))
                        .setLength(range.cidr().prefixLength())));
    if (service.waypoint() != null) {
      message.setWaypoint(gateway(service.waypoint()));
    }
    service
        .weightedWaypoints()
        .forEach(
            weighted ->
                message.addWeightedWaypoints(
                    WeightedWaypoint.newBuilder()
                        .setDestination(gateway(weighted.destination()))
                        .setWeight(uint32(weighted.weight()))));
    if (!service.loadBalancing().equals(io.heddle.internal.state.LoadBalancing.UNSPECIFIED)) {
      message.setLoadBalancing(loadBalancing(service.loadBalancing()));
    }
    return Address.newBuilder().setService(message).build();
  }

  private static LoadBalancing loadBalancing(io.heddle.internal.state.LoadBalancing choice) {
    LoadBalancing.Builder message =
        LoadBalancing.newBuilder()
            .setMode(
                switch (choice.mode()) {
                  case UNSPECIFIED -> LoadBalancing.Mode.UNSPECIFIED_MODE;
                  case STRICT -> LoadBalancing.Mode.STRICT;
                  case FAILOVER -> LoadBalancing.Mode.FAILOVER;
                  case PASSTHROUGH -> LoadBalancing.Mode.PASSTHROUGH;
                })
            .setHealthPolicy(LoadBalancing.HealthPolicy.valueOf(choice.healthPolicy().name()));
    choice
        .routingPreferences()
        .forEach(scope -> message.addRoutingPreference(LoadBalancing.Scope.valueOf(scope.name())));
    return message.build();
  }

  private static GatewayAddress gateway(io.heddle.internal.state.GatewayAddress gateway) {
    GatewayAddress.Builder message =
        GatewayAddress.newBuilder().setHboneMtlsPort(gateway.hboneMtlsPort());
    if (gateway instanceof io.heddle.internal.state.GatewayAddress.ByAddress byAddress) {
      message.setAddress(address(byAddress.address()));
    } else if (gateway instanceof io.heddle.internal.state.GatewayAddress.ByHostname byHostname) {
      message.setHostname(
          NamespacedHostname.newBuilder()
              .setNamespace(byHostname.hostname().namespace())
              .setHostname(byHostname.hostname().hostname()));
    }
    return message.build();
  }

  private static NetworkAddress address(io.heddle.internal.state.NetworkAddress address) {
    return NetworkAddress.newBuilder()
        .setNetwork(address.network())
        .setAddress(bytes(address.address()))
        .build();
  }

  private static ApplicationTunnel tunnel(io.heddle.internal.state.ApplicationTunnel tunnel) {
    return ApplicationTunnel.newBuilder()
        .setProtocol(ApplicationTunnel.Protocol.valueOf(tunnel.protocol().name()))
        .setPort(tunnel.port())
        .build();
  }

  private static Locality locality(io.heddle.internal.state.Locality locality) {
    return Locality.newBuilder()
        .setRegion(locality.region())
        .setZone(locality.zone())
        .setSubzone(locality.subzone())
        .build();
  }

  private static PortList portList(PortMap ports) {
    return PortList.newBuilder().addAllPorts(ports(ports)).build();
  }

  private static List<Port> ports(PortMap ports) {
    return ports.asMap().entrySet().stream()
        .map(
            port ->
                Port.newBuilder()
                    .setServicePort(port.getKey())
                    .setTargetPort(port.getValue())
                    .build())
        .toList();
  }

  private static int uint32(long value) {
    return Integer.parseUnsignedInt(Long.toString(value));
  }

  private static ByteString bytes(InetAddress address) {
    return ByteString.copyFrom(address.getAddress());
  }
}
