// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import static io.heddle.internal.state.MeshFixture.NET_A;
import static io.heddle.internal.state.MeshFixture.NET_B;
import static io.heddle.internal.state.MeshFixture.index;
import static io.heddle.internal.state.MeshFixture.ip;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index beside two plain maps, after any sequence of changes. */
class IndexModelTest {

  private static final int NAMES = 40;
  private static final int SERVICES = 6;
  private static final int ADDRESSES = 25;

  private final Map<String, Workload> workloads = new HashMap<>();
  private final Map<NamespacedHostname, Service> services = new HashMap<>();

  @ParameterizedTest(name = "agrees with maps, seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithMaps(long seed) {
    Random random = new Random(seed);
    WorkloadIndex index = index();
    for (int batch = 0; batch < 150; batch++) {
      UpdateBatch.Builder changes = UpdateBatch.changes();
      int removals = random.nextInt(4);
      for (int i = 0; i < removals; i++) {
        String name = random.nextInt(5) == 0 ? key(random).toString() : uid(random);
        changes.remove(name);
        workloads.remove(name);
        services.values().removeIf(service -> service.resourceName().equals(name));
      }
      int puts = random.nextInt(6);
      for (int i = 0; i < puts; i++) {
        if (random.nextInt(5) == 0) {
          Service service = service(random);
          changes.put(service);
          services.put(service.key(), service);
        } else {
          Workload workload = workload(random);
          changes.put(workload);
          workloads.put(workload.uid(), workload);
        }
      }
      assertAgrees(index.apply(changes.build()));
    }
  }

  private void assertAgrees(MeshSnapshot snapshot) {
    assertThat(snapshot.workloads()).containsExactlyInAnyOrderElementsOf(workloads.values());
    assertThat(snapshot.services()).containsExactlyInAnyOrderElementsOf(services.values());
    for (Workload workload : workloads.values()) {
      assertThat(snapshot.workload(workload.uid())).isSameAs(workload);
      assertThat(
              snapshot.workload(
                  new WorkloadInfo(
                      workload.name(), workload.namespace(), workload.serviceAccount())))
          .isSameAs(preferred(namedLike(workload)));
    }
    for (String network : List.of(NET_A, NET_B)) {
      for (int i = 0; i < ADDRESSES; i++) {
        assertAddress(snapshot, network, "10.0.0." + i);
        assertAddress(snapshot, network, "2001:db8::" + i);
      }
    }
    for (int i = 0; i < SERVICES; i++) {
      assertEndpoints(snapshot, key(i));
    }
  }

  private Stream<Workload> namedLike(Workload workload) {
    return workloads.values().stream()
        .filter(other -> other.name().equals(workload.name()))
        .filter(other -> other.namespace().equals(workload.namespace()));
  }

  private void assertAddress(MeshSnapshot snapshot, String network, String address) {
    Workload expected =
        preferred(
            workloads.values().stream()
                .filter(workload -> workload.networkMode() == NetworkMode.STANDARD)
                .filter(workload -> workload.network().equals(network))
                .filter(workload -> workload.addresses().contains(ip(address))));
    assertThat(snapshot.workload(network, ip(address))).as(address).isSameAs(expected);
  }

  private void assertEndpoints(MeshSnapshot snapshot, NamespacedHostname key) {
    Endpoints endpoints = snapshot.endpoints(key);
    List<Workload> expected = new ArrayList<>();
    int unhealthy = 0;
    if (services.containsKey(key)) {
      for (Workload workload : workloads.values()) {
        if (workload.services().containsKey(key)) {
          if (workload.status() == HealthStatus.HEALTHY) {
            expected.add(workload);
          } else {
            unhealthy++;
          }
        }
      }
    }
    assertThat(endpoints.all())
        .extracting(Endpoint::workload)
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(endpoints.withheld()).isEqualTo(unhealthy);
    for (Workload workload : expected) {
      Endpoint endpoint = endpoints.of(workload.uid());
      assertThat(endpoint).isNotNull();
      assertThat(endpoint.ports()).isEqualTo(workload.services().get(key));
    }
  }

  /** HBONE reference 2.2: pods in the mesh, pods, others in the mesh, others; then by uid. */
  private static Workload preferred(Stream<Workload> candidates) {
    return candidates
        .min(
            Comparator.comparing((Workload workload) -> !workload.uid().contains("//Pod/"))
                .thenComparing(workload -> workload.protocol() != Protocol.HBONE)
                .thenComparing(workload -> !workload.clusterId().isEmpty())
                .thenComparing(Workload::uid))
        .orElse(null);
  }

  private static Workload workload(Random random) {
    String uid = uid(random);
    List<String> parts = List.of(uid.split("/"));
    Map<NamespacedHostname, PortMap> serves = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      serves.put(key(random), PortMap.of(Map.of(80, 8000 + random.nextInt(3))));
    }
    List<String> addresses = new ArrayList<>();
    if (random.nextInt(10) > 0) {
      addresses.add("10.0.0." + random.nextInt(ADDRESSES));
    }
    if (random.nextInt(4) == 0) {
      addresses.add("2001:db8::" + random.nextInt(ADDRESSES));
    }
    return Workload.builder(uid)
        .clusterId(parts.get(0))
        .namespace(parts.get(parts.size() - 2))
        .name(parts.get(parts.size() - 1))
        .network(random.nextBoolean() ? NET_A : NET_B)
        .addresses(addresses.stream().map(MeshFixture::ip).toList())
        .services(serves)
        .protocol(random.nextBoolean() ? Protocol.HBONE : Protocol.TCP)
        .networkMode(random.nextInt(8) == 0 ? NetworkMode.HOST_NETWORK : NetworkMode.STANDARD)
        .status(random.nextInt(4) == 0 ? HealthStatus.UNHEALTHY : HealthStatus.HEALTHY)
        .build();
  }

  /** Some as Istio names pods, some as it names other things. */
  private static String uid(Random random) {
    int number = random.nextInt(NAMES);
    return switch (number % 3) {
      case 0 -> "c1//Pod/shop/web-" + number;
      case 1 -> "c2//Pod/pay/api-" + number;
      default -> "c1/networking.istio.io/WorkloadEntry/shop/vm-" + number;
    };
  }

  private static Service service(Random random) {
    NamespacedHostname key = key(random);
    return Service.builder("s", key.namespace(), key.hostname())
        .ports(PortMap.of(Map.of(80, random.nextInt(3))))
        .build();
  }

  private static NamespacedHostname key(Random random) {
    return key(random.nextInt(SERVICES));
  }

  private static NamespacedHostname key(int number) {
    return new NamespacedHostname("shop", "s" + number + ".shop.svc.cluster.local");
  }
}
