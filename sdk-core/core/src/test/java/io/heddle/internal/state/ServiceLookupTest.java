// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.state;

import static io.heddle.internal.state.MeshFixture.NET_A;
import static io.heddle.internal.state.MeshFixture.NET_B;
import static io.heddle.internal.state.MeshFixture.apply;
import static io.heddle.internal.state.MeshFixture.index;
import static io.heddle.internal.state.MeshFixture.ip;
import static io.heddle.internal.state.MeshFixture.ranges;
import static io.heddle.internal.state.MeshFixture.remove;
import static io.heddle.internal.state.MeshFixture.service;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceLookupTest {

  private final WorkloadIndex index = index();

  @Test
  @DisplayName("ST-08 of two services with one address, each client finds its own namespace's")
  void sameVipInTwoNamespaces() {
    Service shop = service("shop", "a.example.test", "net-a/240.240.0.1").build();
    Service pay = service("pay", "b.example.test", "net-a/240.240.0.1").build();
    Service infra = service("infra", "c.example.test", "net-a/240.240.0.1").canonical(true).build();

    MeshSnapshot snapshot = apply(index, shop, pay, infra);

    assertThat(snapshot.serviceByVip(NET_A, ip("240.240.0.1"), "shop")).isEqualTo(shop);
    assertThat(snapshot.serviceByVip(NET_A, ip("240.240.0.1"), "pay")).isEqualTo(pay);
    assertThat(snapshot.serviceByVip(NET_A, ip("240.240.0.1"), "other")).isEqualTo(infra);
    assertThat(snapshot.serviceByVip(NET_A, ip("240.240.0.1"), null)).isEqualTo(infra);
  }

  @DisplayName("ST-09 an address in a range")
  @ParameterizedTest(name = "{0} in {1}, asked from {2}, is {3}")
  @CsvSource(
      nullValues = "nothing",
      value = {
        "203.0.113.5, net-a, other, narrow.example.test",
        "203.0.113.0, net-a, other, narrow.example.test",
        "203.0.113.15, net-a, other, narrow.example.test",
        "203.0.113.16, net-a, other, wide.example.test",
        "203.0.112.255, net-a, other, wide.example.test",
        "203.1.0.0, net-a, other, nothing",
        "203.0.113.5, net-a, wide, wide.example.test",
        "203.0.113.7, net-a, wide, exact.example.test",
        "203.0.113.5, net-b, other, nothing",
        "2001:db8:5::1, net-a, other, six.example.test",
        "2001:db8:5:ffff:ffff:ffff:ffff:ffff, net-a, other, six.example.test",
        "2001:db8:6::, net-a, other, nothing",
        "::ffff:203.0.113.5, net-a, other, narrow.example.test",
      })
  void addressRanges(String address, String network, String client, String expected) {
    apply(
        index,
        service("wide", "wide.example.test").cidrVips(ranges(NET_A, "203.0.0.0/16")).build(),
        service("narrow", "narrow.example.test").cidrVips(ranges(NET_A, "203.0.113.0/28")).build(),
        service("exact", "exact.example.test", "net-a/203.0.113.7").build(),
        service("six", "six.example.test").cidrVips(ranges(NET_A, "2001:db8:5::/48")).build());

    Service found = index.current().serviceByVip(network, ip(address), client);

    assertThat(found == null ? null : found.hostname()).isEqualTo(expected);
  }

  @Test
  @DisplayName("ST-09 of equal ranges the canonical one is found, and a removed one never")
  void rangesAreRemoved() {
    Service one =
        service("one", "a.example.test").cidrVips(ranges(NET_A, "203.0.113.0/24")).build();
    Service two =
        service("two", "b.example.test")
            .cidrVips(ranges(NET_A, "203.0.113.0/24", "198.51.100.0/24"))
            .canonical(true)
            .build();
    apply(index, one, two);
    assertThat(index.current().serviceByVip(NET_A, ip("203.0.113.9"), "x")).isEqualTo(two);

    remove(index, "two/b.example.test");

    assertThat(index.current().serviceByVip(NET_A, ip("203.0.113.9"), "x")).isEqualTo(one);
    assertThat(index.current().serviceByVip(NET_A, ip("198.51.100.9"), "x")).isNull();
    remove(index, "one/a.example.test");
    assertThat(index.current().serviceByVip(NET_A, ip("203.0.113.9"), "x")).isNull();
  }

  @Test
  @DisplayName("ST-10 a namespace's own service is invisible to others, by address, range and name")
  void visibility() {
    Service hidden =
        service("infra", "x.example.test", "net-a/240.240.0.1")
            .cidrVips(ranges(NET_A, "203.0.113.0/28"))
            .visibility(Visibility.NAMESPACE)
            .canonical(true)
            .build();
    Service sibling = service("pub", "x.example.test", "net-a/240.240.0.1").build();
    Service range =
        service("pub", "range.example.test")
            .cidrVips(ranges(NET_A, "203.0.113.0/24", "240.240.0.0/24"))
            .build();
    MeshSnapshot snapshot = apply(index, hidden, sibling, range);

    assertThat(snapshot.serviceByVip(NET_A, ip("240.240.0.1"), "infra")).isEqualTo(hidden);
    assertThat(snapshot.serviceByVip(NET_A, ip("203.0.113.1"), "infra")).isEqualTo(hidden);
    assertThat(snapshot.serviceByHostname("x.example.test", "infra")).isEqualTo(hidden);
    assertThat(snapshot.serviceByVip(NET_A, ip("240.240.0.1"), "shop")).isEqualTo(sibling);
    assertThat(snapshot.serviceByVip(NET_A, ip("203.0.113.1"), "shop")).isEqualTo(range);
    assertThat(snapshot.serviceByHostname("x.example.test", "shop")).isEqualTo(sibling);
    assertThat(snapshot.serviceByHostname("x.example.test", null)).isEqualTo(hidden);

    // With every exact candidate filtered, the range that holds the address is next.
    remove(index, "pub/x.example.test");
    assertThat(index.current().serviceByVip(NET_A, ip("240.240.0.1"), "shop")).isEqualTo(range);
    assertThat(index.current().serviceByHostname("x.example.test", "shop")).isNull();
  }

  @Test
  @DisplayName("B113 one host name in several namespaces: own, canonical, preferred, stable order")
  void hostnameConflict() {
    Service shop = service("shop", "a.example.test", "/240.240.0.1").build();
    Service infra = service("infra", "a.example.test", "/240.240.0.2").canonical(true).build();
    Service old = service("old", "a.example.test", "/240.240.0.3").build();
    Random random = new Random(113);
    for (int round = 0; round < 10; round++) {
      List<Service> arriving = new ArrayList<>(List.of(shop, infra, old));
      Collections.shuffle(arriving, random);
      WorkloadIndex fresh = index();
      arriving.forEach(service -> apply(fresh, service));

      MeshSnapshot all = fresh.current();
      assertThat(all.serviceByHostname("a.example.test", "shop")).isEqualTo(shop);
      assertThat(all.serviceByHostname("a.example.test", "other")).isEqualTo(infra);
      assertThat(all.serviceByHostname("a.example.test", "other", "old")).isEqualTo(infra);
      assertThat(all.serviceByHostname("a.example.test", "shop", "old")).isEqualTo(shop);

      MeshSnapshot rest = remove(fresh, "infra/a.example.test");
      assertThat(rest.serviceByHostname("a.example.test", "other", "shop")).isEqualTo(shop);
      assertThat(rest.serviceByHostname("a.example.test", "other", "old")).isEqualTo(old);
      assertThat(rest.serviceByHostname("a.example.test", "other")).isEqualTo(old);
    }
  }

  @Test
  @DisplayName("the address of a service counts in its own network only")
  void vipNetwork() {
    Service service = service("shop", "a.example.test", "net-a/10.96.0.1").build();

    MeshSnapshot snapshot = apply(index, service);

    assertThat(snapshot.serviceByVip(NET_A, ip("10.96.0.1"), "shop")).isEqualTo(service);
    assertThat(snapshot.serviceByVip(NET_B, ip("10.96.0.1"), "shop")).isNull();
    assertThat(snapshot.serviceByVip("", ip("10.96.0.1"), "shop")).isNull();
  }
}
