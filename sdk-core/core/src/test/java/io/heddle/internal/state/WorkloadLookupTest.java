// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import static io.heddle.internal.state.MeshFixture.NET_A;
import static io.heddle.internal.state.MeshFixture.NET_B;
import static io.heddle.internal.state.MeshFixture.apply;
import static io.heddle.internal.state.MeshFixture.index;
import static io.heddle.internal.state.MeshFixture.ip;
import static io.heddle.internal.state.MeshFixture.pod;
import static io.heddle.internal.state.MeshFixture.remove;
import static io.heddle.internal.state.MeshFixture.service;
import static io.heddle.internal.state.MeshFixture.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.policy.UnknownPolicies;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkloadLookupTest {

  private final WorkloadIndex index = index();

  @Test
  @DisplayName("ST-02 workloads and services are found by address and by host name, others are not")
  void lookUps() {
    Workload web = pod("web-1", "10.0.0.5", "2001:db8::5").build();
    Workload external =
        workload("c1/ServiceEntry/shop/db", NET_A).hostname("db.example.test").build();
    Service service = service("shop", "web.shop.svc.cluster.local", "net-a/10.96.0.1").build();

    MeshSnapshot snapshot = apply(index, web, external, service);

    assertThat(snapshot.address(NET_A, ip("10.0.0.5"), "shop")).isEqualTo(web);
    assertThat(snapshot.address(NET_A, ip("2001:db8::5"), "shop")).isEqualTo(web);
    assertThat(snapshot.address(NET_A, ip("10.96.0.1"), "shop")).isEqualTo(service);
    assertThat(snapshot.hostname(service.key())).isEqualTo(service);
    assertThat(snapshot.hostname(new NamespacedHostname("shop", "db.example.test")))
        .isEqualTo(external);
    assertThat(snapshot.workload(web.uid())).isEqualTo(web);
    assertThat(snapshot.address(NET_A, ip("10.0.0.6"), "shop")).isNull();
    assertThat(snapshot.address(NET_B, ip("10.0.0.5"), "shop")).isNull();
    assertThat(snapshot.hostname(new NamespacedHostname("pay", "db.example.test"))).isNull();
    assertThat(snapshot.workload("c1//Pod/shop/web-2")).isNull();
  }

  @Test
  @DisplayName("an address that is both a workload's and a service's names the workload")
  void workloadBeforeService() {
    Workload web = pod("web-1", "10.0.0.5").build();
    Service service = service("shop", "web.shop.svc.cluster.local", "net-a/10.0.0.5").build();

    MeshSnapshot snapshot = apply(index, web, service);

    assertThat(snapshot.address(NET_A, ip("10.0.0.5"), "shop")).isEqualTo(web);
    assertThat(snapshot.serviceByVip(NET_A, ip("10.0.0.5"), "shop")).isEqualTo(service);
  }

  @Test
  @DisplayName(
      "ST-07 of workloads sharing an address the pod in the mesh is found, then the others")
  void sharedAddress() {
    List<Workload> inPreference =
        List.of(
            workload("c1//Pod/shop/meshed", NET_A, "10.0.0.5").protocol(Protocol.HBONE).build(),
            workload("c1//Pod/shop/plain", NET_A, "10.0.0.5").build(),
            workload("a-meshed-vm", NET_A, "10.0.0.5").protocol(Protocol.HBONE).build(),
            workload("a-vm", NET_A, "10.0.0.5").build());
    Random random = new Random(7);
    for (int round = 0; round < 20; round++) {
      WorkloadIndex shuffled = index();
      List<Workload> arriving = new ArrayList<>(inPreference);
      Collections.shuffle(arriving, random);
      arriving.forEach(workload -> apply(shuffled, workload));

      for (Workload expected : inPreference) {
        assertThat(shuffled.current().workload(NET_A, ip("10.0.0.5"))).isEqualTo(expected);
        remove(shuffled, expected.uid());
      }
      assertThat(shuffled.current().workload(NET_A, ip("10.0.0.5"))).isNull();
    }
  }

  @Test
  @DisplayName("B106 one address in two networks, and twice in one, is kept apart by uid")
  void sameAddressAcrossNetworks() {
    Workload web = pod("web-1", "10.0.0.5").build();
    Workload api =
        workload("c2//Pod/pay/api-1", NET_B, "10.0.0.5").protocol(Protocol.HBONE).build();
    Workload entry = workload("c1/ServiceEntry/shop/ext/1", NET_A, "10.0.0.5").build();
    List<List<Workload>> orders =
        List.of(List.of(web, api, entry), List.of(entry, api, web), List.of(api, entry, web));
    for (List<Workload> order : orders) {
      WorkloadIndex fresh = index();
      order.forEach(workload -> apply(fresh, workload));
      assertThat(fresh.current().workload(NET_A, ip("10.0.0.5"))).isEqualTo(web);
      assertThat(fresh.current().workload(NET_B, ip("10.0.0.5"))).isEqualTo(api);
      assertThat(fresh.current().workload("net-c", ip("10.0.0.5"))).isNull();

      remove(fresh, entry.uid());
      assertThat(fresh.current().workload(NET_A, ip("10.0.0.5"))).isEqualTo(web);

      apply(fresh, entry);
      remove(fresh, web.uid());
      assertThat(fresh.current().workload(NET_A, ip("10.0.0.5"))).isEqualTo(entry);
      assertThat(fresh.current().workload(NET_B, ip("10.0.0.5"))).isEqualTo(api);
    }
  }

  @Test
  @DisplayName("among equals at one address, the own cluster's workload is found")
  void ownClusterFirst() {
    WorkloadIndex ofC2 = new WorkloadIndex("c2", UnknownPolicies.REFUSE);
    Workload first = workload("c1//Pod/shop/x", NET_A, "10.0.0.5").clusterId("c1").build();
    Workload second = workload("c2//Pod/shop/x", NET_A, "10.0.0.5").clusterId("c2").build();

    assertThat(apply(ofC2, first, second).workload(NET_A, ip("10.0.0.5"))).isEqualTo(second);
    assertThat(apply(index, first, second).workload(NET_A, ip("10.0.0.5"))).isEqualTo(first);
  }

  @Test
  @DisplayName("a workload on its host's network is not found by the host's address")
  void hostNetwork() {
    Workload proxy = pod("proxy", "10.20.0.1").networkMode(NetworkMode.HOST_NETWORK).build();

    assertThat(apply(index, proxy).workload(NET_A, ip("10.20.0.1"))).isNull();
    assertThat(index.current().workload(proxy.uid())).isEqualTo(proxy);

    Workload moved = pod("proxy", "10.0.0.9").build();
    assertThat(apply(index, moved).workload(NET_A, ip("10.0.0.9"))).isEqualTo(moved);
    apply(index, proxy);
    assertThat(index.current().workload(NET_A, ip("10.0.0.9"))).isNull();
  }

  @Test
  @DisplayName("a workload that is sent again with another address is found at the new one only")
  void addressMoves() {
    apply(index, pod("web-1", "10.0.0.5").build());

    MeshSnapshot snapshot = apply(index, pod("web-1", "10.0.0.6").build());

    assertThat(snapshot.workload(NET_A, ip("10.0.0.5"))).isNull();
    assertThat(snapshot.workload(NET_A, ip("10.0.0.6"))).isNotNull();
  }

  @Test
  @DisplayName("B117 an IPv4-mapped address finds the IPv4 workload and service")
  void mappedAddress() throws Exception {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    System.arraycopy(ip("10.0.0.5").getAddress(), 0, mapped, 12, 4);
    // Only this factory keeps the mapped form, as a dual-stack socket of another library might.
    InetAddress asSeenByASocket = Inet6Address.getByAddress("", mapped, 3);
    assertThat(asSeenByASocket).isInstanceOf(Inet6Address.class);
    Workload web = pod("web-1").addresses(List.of(asSeenByASocket)).build();
    Service service =
        service("shop", "web.shop.svc.cluster.local", "net-a/::ffff:10.96.0.1").build();

    MeshSnapshot snapshot = apply(index, web, service);

    assertThat(snapshot.workload(NET_A, asSeenByASocket)).isEqualTo(web);
    assertThat(snapshot.workload(NET_A, ip("10.0.0.5"))).isEqualTo(web);
    assertThat(web.hasAddress(ip("10.0.0.5"))).isTrue();
    assertThat(snapshot.serviceByVip(NET_A, ip("10.96.0.1"), null)).isEqualTo(service);
  }

  @Test
  @DisplayName("B075 a workload without addresses is an endpoint and breaks no look-up")
  void noAddresses() {
    Service service = service("pay", "db.pay.svc.cluster.local", "net-a/10.96.0.30").build();
    Map<NamespacedHostname, PortMap> serves = MeshFixture.serves("pay/db.pay.svc.cluster.local");
    Workload external =
        workload("c1/WorkloadEntry/pay/db-ext", NET_A)
            .hostname("db.partner.example.test")
            .services(serves)
            .build();
    Workload normal = pod("db-0", "10.0.1.7").services(serves).build();

    MeshSnapshot snapshot = apply(index, service, external, normal);

    Endpoint endpoint = snapshot.endpoints(service.key()).of(external.uid());
    assertThat(endpoint).isNotNull();
    assertThat(endpoint.workload().addresses()).isEmpty();
    assertThat(endpoint.workload().hostname()).isEqualTo("db.partner.example.test");
    assertThat(remove(index, normal.uid()).endpoints(service.key()).size()).isEqualTo(1);
    assertThat(remove(index, external.uid()).endpoints(service.key()).size()).isZero();
  }
}
