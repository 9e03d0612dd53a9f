// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.local;

import io.heddle.internal.net.Cidr;
import io.heddle.internal.state.GatewayAddress;
import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.LoadBalancing.HealthPolicy;
import io.heddle.internal.state.LoadBalancing.Mode;
import io.heddle.internal.state.LoadBalancing.RoutingScope;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.NetworkCidr;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.Visibility;
import io.heddle.internal.state.WeightedWaypoint;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;

/** Reads an entry of {@code services}. */
final class ServiceReader {

  private static final long MAX_UINT32 = 0xffff_ffffL;

  private static final Map<String, Mode> MODES =
      Map.of(
          "Standard", Mode.UNSPECIFIED,
          "Strict", Mode.STRICT,
          "Failover", Mode.FAILOVER,
          "Passthrough", Mode.PASSTHROUGH);
  private static final Map<String, RoutingScope> SCOPES =
      Map.of(
          "Region", RoutingScope.REGION,
          "Zone", RoutingScope.ZONE,
          "Subzone", RoutingScope.SUBZONE,
          "Node", RoutingScope.NODE,
          "Cluster", RoutingScope.CLUSTER,
          "Network", RoutingScope.NETWORK);
  private static final Map<String, HealthPolicy> HEALTH_POLICIES =
      Map.of("OnlyHealthy", HealthPolicy.ONLY_HEALTHY, "AllowAll", HealthPolicy.ALLOW_ALL);
  private static final Map<String, IpFamilies> IP_FAMILIES =
      Map.of("IPv4", IpFamilies.IPV4_ONLY, "IPv6", IpFamilies.IPV6_ONLY, "Dual", IpFamilies.DUAL);
  private static final Map<String, Visibility> VISIBILITIES =
      Map.of("Public", Visibility.PUBLIC, "Namespace", Visibility.NAMESPACE);

  private ServiceReader() {}

  static @Nullable Service read(YamlMapping fields) {
    String name = fields.requiredText("name");
    String namespace = fields.requiredText("namespace");
    String hostname = fields.requiredText("hostname");
    LoadBalancing loadBalancing = fields.object("loadBalancer", ServiceReader::loadBalancing);
    Service.Builder service =
        Service.builder(name, namespace, hostname)
            .vips(fields.requiredList("vips", ServiceReader::vip))
            .cidrVips(fields.list("cidrVips", ServiceReader::range))
            .ports(CommonReader.ports(fields.required("ports")))
            .subjectAltNames(fields.list("subjectAltNames", YamlValue::text))
            .waypoint(fields.object("waypoint", CommonReader::gateway))
            .weightedWaypoints(fields.list("weightedWaypoints", ServiceReader::weighted))
            .loadBalancing(loadBalancing == null ? LoadBalancing.UNSPECIFIED : loadBalancing)
            .ipFamilies(fields.choice("ipFamilies", IP_FAMILIES, IpFamilies.AUTOMATIC))
            .canonical(fields.flag("canonical"))
            .visibility(fields.choice("visibility", VISIBILITIES, Visibility.PUBLIC));
    rejectEndpoints(fields.field("endpoints"));
    fields.rejectOthers();
    if (hostname.isEmpty()) {
      return null;
    }
    YamlValue self = fields.self();
    self.reading().claim(self, "the service '" + namespace + "/" + hostname + "'");
    return service.build();
  }

  /**
   * A dump shows endpoints here. They are made from the workloads, and two sources would differ.
   */
  private static void rejectEndpoints(@Nullable YamlValue endpoints) {
    if (endpoints != null
        && !(endpoints.node() instanceof MappingNode map && map.getValue().isEmpty())) {
      endpoints.reject(
          "endpoints are made from the workloads",
          "list the service in the 'services' of each workload");
    }
  }

  private static @Nullable NetworkAddress vip(YamlValue value) {
    return value.parsed(NetworkAddress::parse, "write network/ip, or /ip for the default network");
  }

  private static @Nullable NetworkCidr range(YamlValue value) {
    YamlMapping fields = value.mapping();
    String network = fields.text("network", "");
    YamlValue written = fields.required("cidr");
    fields.rejectOthers();
    Cidr cidr = written == null ? null : written.parsed(Cidr::parse, "write ip/length");
    return cidr == null ? null : new NetworkCidr(network, cidr);
  }

  /** A dump shows the destination as a text; the node proxy reads it as a mapping of its own. */
  private static @Nullable WeightedWaypoint weighted(YamlValue value) {
    YamlMapping fields = value.mapping();
    YamlValue destination = fields.field("destination");
    long weight = fields.number("weight", 0, MAX_UINT32);
    GatewayAddress gateway;
    if (destination != null && destination.node() instanceof MappingNode) {
      gateway = fields.object("destination", CommonReader::gateway);
      fields.rejectOthers();
    } else {
      gateway = CommonReader.gateway(fields);
    }
    return gateway == null ? null : new WeightedWaypoint(gateway, weight);
  }

  private static @Nullable LoadBalancing loadBalancing(YamlMapping fields) {
    List<RoutingScope> preferences =
        fields.list("routingPreferences", scope -> scope.choice(SCOPES));
    Mode mode = fields.choice("mode", MODES, Mode.UNSPECIFIED);
    HealthPolicy health = fields.choice("healthPolicy", HEALTH_POLICIES, HealthPolicy.ONLY_HEALTHY);
    fields.rejectOthers();
    return new LoadBalancing(mode, preferences, health);
  }
}
