// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.wds;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.heddle.hbone.WorkloadType;
import io.heddle.internal.proto.workload.PortList;
import io.heddle.internal.proto.workload.WorkloadStatus;
import io.heddle.internal.state.ApplicationTunnel;
import io.heddle.internal.state.HealthStatus;
import io.heddle.internal.state.Locality;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.NetworkMode;
import io.heddle.internal.state.Placement;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.SharedParts;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadBuilder;
import io.heddle.internal.state.WorkloadProfile;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes workloads of their messages; what istiod leaves out is filled in (reference 3.1). A value
 * of an enumeration that is not known yet loses no endpoint (reference 11): it is taken for the
 * cautious one of those that are.
 */
final class WorkloadReader {

  private static final String DEFAULT_TRUST_DOMAIN = "cluster.local";
  private static final String DEFAULT_SERVICE_ACCOUNT = "default";
  private static final String DEFAULT_CLUSTER = "Kubernetes";

  private final SharedParts parts;
  private final DividedWorkload divided = new DividedWorkload();
  private final ReadBefore<WorkloadProfile> profiles;
  private final ReadBefore<Placement> placements;

  WorkloadReader(SharedParts parts, RandomGenerator random) {
    this.parts = parts;
    profiles = new ReadBefore<>(random);
    placements = new ReadBefore<>(random);
  }

  /**
   * Reads a pod of which nearly everything was read before.
   *
   * @param address the bytes of an {@code Address}
   * @return the pod, or null if the message has to be read as a whole
   * @throws IllegalArgumentException with the reason, when it must be rejected
   */
  @Nullable Workload readDivided(byte[] address) {
    WorkloadStatus status =
        divided.divide(address) ? WorkloadStatus.forNumber(divided.status()) : null;
    if (status == null) {
      return null;
    }
    return Workload.pod(
        profile(),
        placement(),
        address,
        divided.nameAt(),
        divided.nameAt() + divided.nameLength(),
        divided.uidAt(),
        divided.uidAt() + divided.uidLength(),
        divided.ipv4(),
        status(status));
  }

  /** Forgets what was read before. */
  void forget() {
    profiles.clear();
    placements.clear();
  }

  private WorkloadProfile profile() {
    WorkloadProfile known = profiles.find(divided.profile());
    if (known == null) {
      known = builder(parse(divided.profile())).profile(parts);
      profiles.put(known);
    }
    return known;
  }

  private Placement placement() {
    Placement known = placements.find(divided.placement());
    if (known == null) {
      known = builder(parse(divided.placement())).placement(parts);
      placements.put(known);
    }
    return known;
  }

  private static io.heddle.internal.proto.workload.Workload parse(GatheredBytes fields) {
    try {
      return io.heddle.internal.proto.workload.Workload.parser()
          .parseFrom(fields.array(), 0, fields.length());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("not a workload: " + e.getMessage(), e);
    }
  }

  Workload read(io.heddle.internal.proto.workload.Workload message) {
    return builder(message).build(parts);
  }

  private WorkloadBuilder builder(io.heddle.internal.proto.workload.Workload message) {
    WorkloadBuilder workload =
        Workload.builder(message.getUid())
            .name(message.getName())
            .namespace(message.getNamespace())
            .addresses(addresses(message.getAddressesList()))
            .hostname(message.getHostname())
            .network(message.getNetwork())
            .clusterId(orDefault(message.getClusterId(), DEFAULT_CLUSTER))
            .trustDomain(orDefault(message.getTrustDomain(), DEFAULT_TRUST_DOMAIN))
            .serviceAccount(orDefault(message.getServiceAccount(), DEFAULT_SERVICE_ACCOUNT))
            .node(message.getNode())
            .locality(locality(message))
            .workloadName(message.getWorkloadName())
            .canonicalName(message.getCanonicalName())
            .canonicalRevision(message.getCanonicalRevision())
            .authorizationPolicies(List.copyOf(message.getAuthorizationPoliciesList()))
            .services(services(message.getServicesMap()))
            .capacity(
                message.hasCapacity()
                    ? Integer.toUnsignedLong(message.getCapacity().getValue())
                    : 1)
            .nativeTunnel(message.getNativeTunnel())
            .protocol(protocol(message))
            .networkMode(networkMode(message))
            .status(status(message.getStatus()))
            .workloadType(type(message));
    readGateways(message, workload);
    return workload;
  }

  private void readGateways(
      io.heddle.internal.proto.workload.Workload message, WorkloadBuilder workload) {
    if (message.hasWaypoint()) {
      workload.waypoint(AddressReader.gateway(message.getWaypoint(), parts));
    }
    if (message.hasNetworkGateway()) {
      workload.networkGateway(AddressReader.gateway(message.getNetworkGateway(), parts));
    }
    if (message.hasApplicationTunnel()) {
      workload.applicationTunnel(tunnel(message.getApplicationTunnel()));
    }
  }

  private static List<InetAddress> addresses(List<ByteString> messages) {
    // Nearly every workload has one.
    return messages.size() == 1
        ? List.of(AddressReader.address(messages.get(0)))
        : messages.stream().map(AddressReader::address).toList();
  }

  private Map<NamespacedHostname, PortMap> services(Map<String, PortList> messages) {
    if (messages.isEmpty()) {
      return Map.of();
    }
    Map<NamespacedHostname, PortMap> services = new HashMap<>();
    messages.forEach(
        (key, ports) ->
            services.put(parts.name(key), AddressReader.ports(ports.getPortsList(), parts)));
    return services;
  }

  private static Locality locality(io.heddle.internal.proto.workload.Workload message) {
    if (!message.hasLocality()) {
      return Locality.UNKNOWN;
    }
    var locality = message.getLocality();
    return new Locality(locality.getRegion(), locality.getZone(), locality.getSubzone());
  }

  private static ApplicationTunnel tunnel(
      io.heddle.internal.proto.workload.ApplicationTunnel message) {
    ApplicationTunnel.Protocol protocol =
        switch (message.getProtocol()) {
          case PROXY -> ApplicationTunnel.Protocol.PROXY;
          case NONE, UNRECOGNIZED -> ApplicationTunnel.Protocol.NONE;
        };
    return new ApplicationTunnel(protocol, message.getPort());
  }

  /** What is no tunnel of ours, the legacy protocol too, is reached as if it had none. */
  private static Protocol protocol(io.heddle.internal.proto.workload.Workload message) {
    return switch (message.getTunnelProtocol()) {
      case NONE, LEGACY_ISTIO_MTLS, UNRECOGNIZED -> Protocol.TCP;
      case HBONE -> Protocol.HBONE;
    };
  }

  /** Of a mode that is not known, others may have the address too, as on a host's network. */
  private static NetworkMode networkMode(io.heddle.internal.proto.workload.Workload message) {
    return switch (message.getNetworkMode()) {
      case STANDARD -> NetworkMode.STANDARD;
      case HOST_NETWORK, UNRECOGNIZED -> NetworkMode.HOST_NETWORK;
    };
  }

  private static HealthStatus status(WorkloadStatus status) {
    return switch (status) {
      case HEALTHY -> HealthStatus.HEALTHY;
      case UNHEALTHY, UNRECOGNIZED -> HealthStatus.UNHEALTHY;
    };
  }

  /** It is a label only. */
  private static WorkloadType type(io.heddle.internal.proto.workload.Workload message) {
    return switch (message.getWorkloadType()) {
      case DEPLOYMENT, UNRECOGNIZED -> WorkloadType.DEPLOYMENT;
      case CRONJOB -> WorkloadType.CRONJOB;
      case POD -> WorkloadType.POD;
      case JOB -> WorkloadType.JOB;
    };
  }

  private static String orDefault(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }
}
