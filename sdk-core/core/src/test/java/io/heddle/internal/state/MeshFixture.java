// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import io.heddle.internal.net.Cidr;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.policy.UnknownPolicies;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The few things that the tests of this package are made of. */
final class MeshFixture {

  static final String NET_A = "net-a";
  static final String NET_B = "net-b";

  private MeshFixture() {}

  static WorkloadIndex index() {
    return new WorkloadIndex("", UnknownPolicies.REFUSE);
  }

  static MeshSnapshot apply(WorkloadIndex index, MeshAddress... addresses) {
    UpdateBatch.Builder batch = UpdateBatch.changes();
    Arrays.stream(addresses).forEach(batch::put);
    return index.apply(batch.build());
  }

  static MeshSnapshot remove(WorkloadIndex index, String... names) {
    UpdateBatch.Builder batch = UpdateBatch.changes();
    Arrays.stream(names).forEach(batch::remove);
    return index.apply(batch.build());
  }

  static WorkloadBuilder workload(String uid, String network, String... addresses) {
    return Workload.builder(uid)
        .name(uid)
        .namespace("shop")
        .network(network)
        .addresses(Arrays.stream(addresses).map(MeshFixture::ip).toList());
  }

  static WorkloadBuilder pod(String name, String... addresses) {
    return workload("c1//Pod/shop/" + name, NET_A, addresses).name(name).protocol(Protocol.HBONE);
  }

  static Service.Builder service(String namespace, String hostname, String... vips) {
    return Service.builder(hostname.split("\\.", 2)[0], namespace, hostname)
        .vips(Arrays.stream(vips).map(NetworkAddress::parse).toList())
        .ports(PortMap.of(Map.of(80, 8080)));
  }

  static List<NetworkCidr> ranges(String network, String... cidrs) {
    return Arrays.stream(cidrs).map(cidr -> new NetworkCidr(network, Cidr.parse(cidr))).toList();
  }

  static Map<NamespacedHostname, PortMap> serves(String... keys) {
    Map<NamespacedHostname, PortMap> services = new HashMap<>();
    for (String key : keys) {
      services.put(NamespacedHostname.parse(key), PortMap.of(Map.of(80, 8080)));
    }
    return services;
  }

  static NamespacedHostname key(String key) {
    return NamespacedHostname.parse(key);
  }

  static List<String> endpointUids(MeshSnapshot snapshot, String service) {
    return snapshot.endpoints(key(service)).all().stream()
        .map(endpoint -> endpoint.workload().uid())
        .sorted()
        .toList();
  }

  static InetAddress ip(String literal) {
    return Objects.requireNonNull(IpAddresses.parse(literal), literal);
  }
}
