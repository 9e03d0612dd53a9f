// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.heddle.internal.state.ApplicationTunnel;
import io.heddle.internal.state.Locality;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.Workload;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The list {@code workloads} of a dump, sorted by uid. */
final class WorkloadDump {

  private WorkloadDump() {}

  static ArrayNode of(Collection<Workload> workloads) {
    ArrayNode list = DumpJson.array();
    workloads.stream()
        .sorted(Comparator.comparing(Workload::uid))
        .forEach(workload -> list.add(of(workload)));
    return list;
  }

  private static ObjectNode of(Workload workload) {
    ObjectNode json = DumpJson.object();
    DumpJson.texts(json, "workloadIps", workload.addresses().stream().map(DumpJson::text).toList());
    DumpJson.gateway(json, "waypoint", workload.waypoint());
    DumpJson.gateway(json, "networkGateway", workload.networkGateway());
    json.put("protocol", workload.protocol().name());
    json.put("networkMode", DumpJson.camel(workload.networkMode()));
    json.put("uid", workload.uid());
    names(json, workload);
    DumpJson.flag(json, "nativeTunnel", workload.nativeTunnel());
    tunnel(json, workload);
    DumpJson.texts(json, "authorizationPolicies", workload.authorizationPolicies());
    json.put("status", DumpJson.camel(workload.status()));
    DumpJson.text(json, "clusterId", workload.clusterId());
    locality(json, workload.locality());
    DumpJson.texts(
        json,
        "services",
        workload.services().keySet().stream().map(NamespacedHostname::toString).sorted().toList());
    json.put("capacity", workload.capacity());
    return json;
  }

  private static void names(ObjectNode json, Workload workload) {
    DumpJson.text(json, "name", workload.name());
    DumpJson.text(json, "namespace", workload.namespace());
    DumpJson.text(json, "trustDomain", workload.trustDomain());
    DumpJson.text(json, "serviceAccount", workload.serviceAccount());
    DumpJson.text(json, "network", workload.network());
    DumpJson.text(json, "workloadName", workload.workloadName());
    json.put("workloadType", workload.workloadType().name().toLowerCase(Locale.ROOT));
    DumpJson.text(json, "canonicalName", workload.canonicalName());
    DumpJson.text(json, "canonicalRevision", workload.canonicalRevision());
    DumpJson.text(json, "hostname", workload.hostname());
    DumpJson.text(json, "node", workload.node());
  }

  private static void tunnel(ObjectNode json, Workload workload) {
    ApplicationTunnel tunnel = workload.applicationTunnel();
    if (tunnel != null) {
      ObjectNode written = json.putObject("applicationTunnel");
      written.put("protocol", tunnel.protocol().name());
      if (tunnel.hasPort()) {
        written.put("port", tunnel.port());
      }
    }
  }

  private static void locality(ObjectNode json, Locality locality) {
    if (!locality.equals(Locality.UNKNOWN)) {
      json.putObject("locality")
          .put("region", locality.region())
          .put("zone", locality.zone())
          .put("subzone", locality.subzone());
    }
  }
}
