// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import io.heddle.hbone.WorkloadType;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.state.ApplicationTunnel;
import io.heddle.internal.state.HealthStatus;
import io.heddle.internal.state.Locality;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.NetworkMode;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Protocol;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadBuilder;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads an entry of {@code workloads}. */
final class WorkloadReader {

  private static final long MAX_UINT32 = 0xffff_ffffL;

  private static final Map<String, Protocol> PROTOCOLS =
      Map.of("HBONE", Protocol.HBONE, "TCP", Protocol.TCP);
  private static final Map<String, NetworkMode> NETWORK_MODES =
      Map.of("Standard", NetworkMode.STANDARD, "HostNetwork", NetworkMode.HOST_NETWORK);
  private static final Map<String, HealthStatus> STATUSES =
      Map.of("Healthy", HealthStatus.HEALTHY, "Unhealthy", HealthStatus.UNHEALTHY);
  private static final Map<String, WorkloadType> TYPES =
      Map.of(
          "deployment", WorkloadType.DEPLOYMENT,
          "cronjob", WorkloadType.CRONJOB,
          "pod", WorkloadType.POD,
          "job", WorkloadType.JOB);
  private static final Map<String, ApplicationTunnel.Protocol> TUNNEL_PROTOCOLS =
      Map.of("NONE", ApplicationTunnel.Protocol.NONE, "PROXY", ApplicationTunnel.Protocol.PROXY);

  private final TrustDomain defaultTrustDomain;

  /**
   * Makes a reader.
   *
   * @param defaultTrustDomain what an empty trust domain means (DESIGN D27)
   */
  WorkloadReader(TrustDomain defaultTrustDomain) {
    this.defaultTrustDomain = defaultTrustDomain;
  }

  Workload read(YamlMapping fields) {
    List<InetAddress> addresses = fields.requiredList("workloadIps", WorkloadReader::address);
    String name = fields.text("name", "");
    String namespace = fields.requiredText("namespace");
    WorkloadBuilder workload =
        Workload.builder(uid(fields, namespace, name))
            .name(name)
            .addresses(addresses)
            .hostname(fields.text("hostname", ""))
            .network(fields.text("network", ""))
            .node(fields.text("node", ""))
            .clusterId(fields.text("clusterId", ""))
            .protocol(fields.choice("protocol", PROTOCOLS, Protocol.TCP))
            .networkMode(fields.choice("networkMode", NETWORK_MODES, NetworkMode.STANDARD))
            .status(fields.choice("status", STATUSES, HealthStatus.HEALTHY))
            .nativeTunnel(fields.flag("nativeTunnel"))
            .capacity(fields.number("capacity", 1, MAX_UINT32))
            .applicationTunnel(fields.object("applicationTunnel", WorkloadReader::tunnel))
            .waypoint(fields.object("waypoint", CommonReader::gateway))
            .networkGateway(fields.object("networkGateway", CommonReader::gateway))
            .services(services(fields))
            .authorizationPolicies(fields.list("authorizationPolicies", WorkloadReader::policy));
    identity(fields, namespace, workload);
    telemetry(fields, workload);
    fields.rejectOthers();
    return workload.build();
  }

  /** The format lets the uid be absent; two such entries must not be taken for one. */
  private static String uid(YamlMapping fields, String namespace, String name) {
    String uid = fields.text("uid", "");
    if (uid.isEmpty() && name.isEmpty()) {
      fields.self().reject("a workload needs a 'uid', or at least a 'name'", "");
    }
    String used = uid.isEmpty() ? "local//" + namespace + "/" + name : uid;
    YamlValue place = fields.field("uid");
    YamlValue owner = place == null ? fields.self() : place;
    owner.reading().claim(owner, "the uid '" + used + "'");
    return used;
  }

  /** An empty service account has no SPIFFE id, so it means the one that Kubernetes means by it. */
  private void identity(YamlMapping fields, String namespace, WorkloadBuilder workload) {
    String account = fields.text("serviceAccount", "");
    String used = account.isEmpty() ? "default" : account;
    TrustDomain trustDomain = trustDomain(fields.field("trustDomain"));
    workload.namespace(namespace).serviceAccount(used).trustDomain(trustDomain.name());
    if (!namespace.isEmpty()) {
      try {
        SpiffeId.workload(trustDomain, namespace, used);
      } catch (IllegalArgumentException malformed) {
        fields
            .self()
            .reject(
                "namespace and service account make no SPIFFE id: " + malformed.getMessage(), "");
      }
    }
  }

  private TrustDomain trustDomain(@Nullable YamlValue value) {
    if (value == null) {
      return defaultTrustDomain;
    }
    TrustDomain read =
        value.parsed(
            text -> text.isEmpty() ? defaultTrustDomain : TrustDomain.parse(text),
            "write a name such as cluster.local");
    return read == null ? defaultTrustDomain : read;
  }

  private static void telemetry(YamlMapping fields, WorkloadBuilder workload) {
    workload
        .workloadName(fields.text("workloadName", ""))
        .workloadType(fields.choice("workloadType", TYPES, WorkloadType.DEPLOYMENT))
        .canonicalName(fields.text("canonicalName", ""))
        .canonicalRevision(fields.text("canonicalRevision", ""));
    Locality locality = fields.object("locality", WorkloadReader::locality);
    workload.locality(locality == null ? Locality.UNKNOWN : locality);
  }

  private static Locality locality(YamlMapping fields) {
    Locality locality =
        new Locality(
            fields.text("region", ""), fields.text("zone", ""), fields.text("subzone", ""));
    fields.rejectOthers();
    return locality;
  }

  private static ApplicationTunnel tunnel(YamlMapping fields) {
    ApplicationTunnel.Protocol protocol = fields.requiredChoice("protocol", TUNNEL_PROTOCOLS);
    int port = fields.port("port", 0);
    fields.rejectOthers();
    return new ApplicationTunnel(
        protocol == null ? ApplicationTunnel.Protocol.NONE : protocol, port);
  }

  private static @Nullable InetAddress address(YamlValue value) {
    return value.parsed(
        text -> {
          InetAddress address = IpAddresses.parse(text);
          if (address == null) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address");
          }
          return address;
        },
        "write an IPv4 or IPv6 address without network and port");
  }

  private static @Nullable String policy(YamlValue value) {
    String name = value.text();
    if (name != null) {
      value
          .reading()
          .refer(
              value,
              "the policy '" + name + "'",
              "while a policy is missing, connections to the workload are refused");
    }
    return name;
  }

  private static Map<NamespacedHostname, PortMap> services(YamlMapping fields) {
    YamlValue value = fields.required("services");
    if (value == null) {
      return Map.of();
    }
    Map<NamespacedHostname, PortMap> services = new HashMap<>();
    value
        .mapping()
        .entries(
            service -> {
              NamespacedHostname key = CommonReader.serviceKey(service.getKey());
              PortMap ports = CommonReader.ports(service.getValue());
              if (key != null) {
                service
                    .getKey()
                    .reading()
                    .refer(
                        service.getKey(),
                        "the service '" + key + "'",
                        "no connection reaches the workload through it");
                services.put(key, ports);
              }
              return key;
            });
    return services;
  }
}
