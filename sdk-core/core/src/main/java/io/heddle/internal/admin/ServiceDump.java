// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.heddle.internal.state.Endpoint;
import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.LoadBalancing;
import io.heddle.internal.state.MeshSnapshot;
import io.heddle.internal.state.NetworkCidr;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.WeightedWaypoint;
import io.heddle.internal.state.Workload;
import java.util.Comparator;
import java.util.List;

/** The list {@code services} of a dump, sorted by host name and then namespace. */
final class ServiceDump {

  private ServiceDump() {}

  static ArrayNode of(MeshSnapshot mesh) {
    ArrayNode list = DumpJson.array();
    mesh.services().stream()
        .sorted(Comparator.comparing(Service::hostname).thenComparing(Service::namespace))
        .forEach(service -> list.add(of(service, mesh)));
    return list;
  }

  private static ObjectNode of(Service service, MeshSnapshot mesh) {
    ObjectNode json = DumpJson.object();
    json.put("name", service.name());
    json.put("namespace", service.namespace());
    json.put("hostname", service.hostname());
    ArrayNode vips = json.putArray("vips");
    service.vips().stream().map(DumpJson::text).forEach(vips::add);
    ranges(json, service.cidrVips());
    json.set("ports", DumpJson.ports(service.ports()));
    json.set("endpoints", endpoints(mesh.endpoints(service.key()).all()));
    DumpJson.texts(json, "subjectAltNames", service.subjectAltNames());
    DumpJson.gateway(json, "waypoint", service.waypoint());
    weighted(json, service.weightedWaypoints());
    loadBalancer(json, service.loadBalancing());
    families(json, service.ipFamilies());
    DumpJson.flag(json, "canonical", service.canonical());
    json.put("visibility", DumpJson.camel(service.visibility()));
    return json;
  }

  private static void ranges(ObjectNode json, List<NetworkCidr> ranges) {
    if (!ranges.isEmpty()) {
      ArrayNode list = json.putArray("cidrVips");
      ranges.forEach(
          range ->
              list.addObject()
                  .put("network", range.network())
                  .put("cidr", range.cidr().toString()));
    }
  }

  private static ObjectNode endpoints(List<Endpoint> endpoints) {
    ObjectNode byUid = DumpJson.object();
    for (Endpoint endpoint : endpoints) {
      Workload workload = endpoint.workload();
      ObjectNode json = byUid.putObject(workload.uid());
      json.put("workloadUid", workload.uid());
      json.set("port", DumpJson.ports(endpoint.ports()));
      json.put("status", DumpJson.camel(workload.status()));
    }
    return byUid;
  }

  private static void weighted(ObjectNode json, List<WeightedWaypoint> waypoints) {
    if (!waypoints.isEmpty()) {
      ArrayNode list = json.putArray("weightedWaypoints");
      waypoints.forEach(
          waypoint ->
              list.addObject()
                  .put("destination", DumpJson.text(waypoint.destination()))
                  .put("hboneMtlsPort", waypoint.destination().hboneMtlsPort())
                  .put("weight", waypoint.weight()));
    }
  }

  private static void loadBalancer(ObjectNode json, LoadBalancing balancing) {
    if (balancing.equals(LoadBalancing.UNSPECIFIED)) {
      return;
    }
    ObjectNode written = json.putObject("loadBalancer");
    ArrayNode preferences = written.putArray("routingPreferences");
    balancing.routingPreferences().stream().map(DumpJson::camel).forEach(preferences::add);
    boolean standard = balancing.mode() == LoadBalancing.Mode.UNSPECIFIED;
    written.put("mode", standard ? "Standard" : DumpJson.camel(balancing.mode()));
    written.put("healthPolicy", DumpJson.camel(balancing.healthPolicy()));
  }

  private static void families(ObjectNode json, IpFamilies families) {
    switch (families) {
      case AUTOMATIC -> {}
      case IPV4_ONLY -> json.put("ipFamilies", "IPv4");
      case IPV6_ONLY -> json.put("ipFamilies", "IPv6");
      case DUAL -> json.put("ipFamilies", "Dual");
    }
  }
}
