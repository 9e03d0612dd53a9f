// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import static io.heddle.internal.dns.DnsMessages.A;
import static io.heddle.internal.dns.DnsMessages.AAAA;
import static io.heddle.internal.dns.DnsMessages.CNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.dns.DnsMessages.Answer;
import io.heddle.internal.dns.DnsMessages.Message;
import io.heddle.internal.net.IpAddresses;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.route.ServiceNames;
import io.heddle.internal.state.IpFamilies;
import io.heddle.internal.state.MeshAddress;
import io.heddle.internal.state.NamespacedHostname;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.PortMap;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.Visibility;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers of HBONE reference 6, for a client in namespace shop. */
class DnsResponderTest {

  private static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;
  private static final String API = "api.pay.svc.cluster.local";

  private final EventLoop loop = new DefaultEventLoop();
  private final List<String> forwarded = new ArrayList<>();
  private final WorkloadIndex index = new WorkloadIndex("", UnknownPolicies.REFUSE);
  private String clusterDomain = "cluster.local";
  private boolean ipv6 = true;

  @AfterEach
  void endLoop() throws Exception {
    loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
  }

  @ParameterizedTest(name = "DNS-02 {0} is the VIP")
  @ValueSource(strings = {API, "api.pay.svc", "api.pay", "cart", "cart.shop"})
  void vip(String name) throws Exception {
    mesh(service("pay", "api", "/10.96.0.1"), service("shop", "cart", "/10.96.0.1"));

    Message answer = ask(name, A);

    assertThat(answer.answers()).containsExactly(new Answer(name, A, "10.96.0.1"));
    assertThat(answer.isAuthoritative()).isTrue();
  }

  @Test
  @DisplayName("DNS-03 a short name of another namespace is forwarded")
  void otherNamespace() throws Exception {
    mesh(service("pay", "api", "/10.96.0.1"));

    assertThat(ask("api", A).code()).isEqualTo(DnsMessages.NX_DOMAIN);
    assertThat(forwarded).containsExactly("api");
  }

  @Test
  @DisplayName("DNS-04 a host outside with a search domain is an alias of the bare name")
  void alias() throws Exception {
    mesh(host("ext", "www.example.test", "/10.96.0.9"));

    assertThat(ask("www.example.test.shop.svc.cluster.local", A).answers())
        .containsExactly(
            new Answer("www.example.test.shop.svc.cluster.local", CNAME, "www.example.test"),
            new Answer("www.example.test", A, "10.96.0.9"));
  }

  @ParameterizedTest(name = "DNS-05 {0} of type {1} is forwarded, and the answer kept as it is")
  @CsvSource({"unknown.example.test, 1", "api.pay.svc.cluster.local, 2"})
  void forwarding(String name, int type) throws Exception {
    mesh(service("pay", "api", "/10.96.0.1"));

    Message answer = ask(name, type);

    assertThat(answer.code()).isEqualTo(DnsMessages.NX_DOMAIN);
    assertThat(answer.isAuthoritative()).isFalse();
    assertThat(forwarded).containsExactly(name);
  }

  @Test
  @DisplayName("DNS-06 a family that the service excludes has no addresses, and no error")
  void excludedFamily() throws Exception {
    mesh(
        service("pay", "four", "/10.96.0.1", "/2001:db8::1").ipFamilies(IpFamilies.IPV4_ONLY),
        service("pay", "six", "/10.96.0.2", "/2001:db8::2").ipFamilies(IpFamilies.IPV6_ONLY));

    assertEmpty(ask("four.pay", AAAA));
    assertThat(ask("four.pay", A).contents()).containsExactly("10.96.0.1");
    assertEmpty(ask("six.pay", A));
    assertThat(ask("six.pay", AAAA).contents()).containsExactly("2001:db8:0:0:0:0:0:2");
  }

  @Test
  @DisplayName("DNS-06 a VIP of another network is no address, and no error")
  void otherNetwork() throws Exception {
    mesh(service("pay", "api", "remote/10.96.0.1"));

    assertEmpty(ask(API, A));
  }

  @Test
  @DisplayName("with IPv6 switched off, AAAA has no addresses, and no error")
  void withoutIpv6() throws Exception {
    ipv6 = false;
    mesh(service("pay", "api", "/2001:db8::1"));

    assertEmpty(ask(API, AAAA));
  }

  @Test
  @DisplayName(
      "DNS-07 a service of its namespace only is forwarded for others, and answered at home")
  void visibility() throws Exception {
    mesh(
        service("pay", "api", "/10.96.0.1").visibility(Visibility.NAMESPACE),
        service("shop", "cart", "/10.96.0.2").visibility(Visibility.NAMESPACE));

    assertThat(ask(API, A).code()).isEqualTo(DnsMessages.NX_DOMAIN);
    assertThat(ask("cart", A).contents()).containsExactly("10.96.0.2");
  }

  @ParameterizedTest(name = "DNS-08 {0} is answered by the most specific wildcard, {1}")
  @CsvSource({
    "a.example.test, 10.96.0.1",
    "a.b.example.test, 10.96.0.1",
    "a.deep.example.test, 10.96.0.2",
    "x.y.deep.example.test, 10.96.0.2",
    "a.deep.example.test.shop.svc.cluster.local, 10.96.0.2"
  })
  void wildcards(String name, String vip) throws Exception {
    mesh(
        host("ext", "*.example.test", "/10.96.0.1"),
        host("ext", "*.deep.example.test", "/10.96.0.2"));

    assertThat(ask(name, A).answers()).containsExactly(new Answer(name, A, vip));
  }

  @Test
  @DisplayName("DNS-09 a headless service of the cluster is its endpoints, of the family")
  void headless() throws Exception {
    mesh(
        service("pay", "db"),
        pod("db-0", "db", "10.0.0.5", "2001:db8::5"),
        pod("db-1", "db", "10.0.0.6"));

    assertThat(ask("db.pay", A).contents()).containsExactlyInAnyOrder("10.0.0.5", "10.0.0.6");
    assertThat(ask("db.pay", AAAA).contents()).containsExactly("2001:db8:0:0:0:0:0:5");
  }

  @Test
  @DisplayName("DNS-09 a pod's own name is forwarded")
  void podName() throws Exception {
    mesh(service("pay", "db"), pod("db-0", "db", "10.0.0.5"));

    ask("db-0.db.pay.svc.cluster.local", A);

    assertThat(forwarded).containsExactly("db-0.db.pay.svc.cluster.local");
  }

  @Test
  @DisplayName("DNS-10 a name of several namespaces is the client's own first, then the canonical")
  void precedence() throws Exception {
    mesh(
        host("a", "www.example.test", "/10.96.0.1"),
        host("b", "www.example.test", "/10.96.0.2").canonical(true));
    assertThat(ask("www.example.test", A).contents()).containsExactly("10.96.0.2");

    mesh(host("shop", "www.example.test", "/10.96.0.3"));
    assertThat(ask("www.example.test", A).contents()).containsExactly("10.96.0.3");
  }

  @Test
  @DisplayName("DNS-10 without a canonical one it is the preferred namespace's")
  void preferredNamespace() throws Exception {
    mesh(
        host("a", "www.example.test", "/10.96.0.1"),
        host("preferred", "www.example.test", "/10.96.0.2"));

    assertThat(ask("www.example.test", A).contents()).containsExactly("10.96.0.2");
  }

  @Test
  @DisplayName("DNS-12 a client seen as mapped IPv6 is the IPv4 client")
  void mappedClient() throws Exception {
    mesh(service("shop", "cart", "/10.96.0.1"));
    byte[] mapped = new byte[16];
    mapped[10] = -1;
    mapped[11] = -1;
    System.arraycopy(ip("10.0.0.1").getAddress(), 0, mapped, 12, 4);
    InetAddress source = java.net.Inet6Address.getByAddress(null, mapped, 0);

    assertThat(ask(DnsMessages.query(1, "cart", A), source, false).contents())
        .containsExactly("10.96.0.1");
  }

  @ParameterizedTest(name = "B110 type {0} of an IPv4 service is never NXDOMAIN of ours")
  @ValueSource(ints = {DnsMessages.SRV, DnsMessages.MX, DnsMessages.ANY})
  void otherTypes(int type) throws Exception {
    mesh(service("pay", "api", "/10.96.0.1"));

    ask(API, type);

    assertThat(forwarded).containsExactly(API);
  }

  @Test
  @DisplayName("B110 AAAA of an IPv4 service has no addresses, and no error")
  void quadA() throws Exception {
    mesh(service("pay", "api", "/10.96.0.1"));

    assertEmpty(ask(API, AAAA));
    assertThat(forwarded).isEmpty();
  }

  @Test
  @DisplayName("B111 an entry without VIP is forwarded, unless its name is a cluster's")
  void withoutVip() throws Exception {
    mesh(host("pay", "api.example.test"), host("pay", "x.pay.svc.cluster.local"));

    ask("api.example.test", A);
    assertEmpty(ask("x.pay.svc.cluster.local", A));

    assertThat(forwarded).containsExactly("api.example.test");
  }

  @ParameterizedTest(name = "B112 {0} is resolved in the client''s namespace")
  @ValueSource(
      strings = {
        "api.pay",
        "api.pay.svc",
        "api.pay.svc.cluster.local",
        "api.pay.svc.cluster.local.shop.svc.cluster.local",
        "API.Pay.SVC.cluster.LOCAL"
      })
  void searchPath(String name) throws Exception {
    mesh(service("pay", "api", "/10.96.0.1"));

    assertThat(ask(name, A).contents()).contains("10.96.0.1");
  }

  @Test
  @DisplayName("B112 a suffix of another domain is not stripped")
  void foreignSuffix() throws Exception {
    mesh(service("shop", "evil", "/10.96.0.1"));

    ask("evil.shop.svc.cluster.local.example.test", A);

    assertThat(forwarded).hasSize(1);
  }

  @Test
  @DisplayName("B112 a cluster may have a domain of its own")
  void clusterDomain() throws Exception {
    clusterDomain = "corp.test";
    mesh(host("pay", "api.pay.svc.corp.test", "/10.96.0.1"));

    assertThat(ask("api.pay", A).contents()).containsExactly("10.96.0.1");
  }

  @Test
  @DisplayName("B118 a name that only the cluster's DNS knows is forwarded")
  void externalName() throws Exception {
    mesh(service("pay", "api", "/10.96.0.1"));

    ask("legacy.pay.svc.cluster.local", A);

    assertThat(forwarded).containsExactly("legacy.pay.svc.cluster.local");
  }

  @Test
  @DisplayName("DNS-11 by UDP as many addresses as fit, and the mark of a truncated answer")
  void truncated() throws Exception {
    mesh(service("pay", "api", many()));

    Message plain = ask(DnsMessages.query(7, API, A), ip("10.0.0.1"), false);
    Message large = ask(DnsMessages.query(7, API, A, 1232), ip("10.0.0.1"), false);

    assertThat(plain.isTruncated()).isTrue();
    assertThat(plain.bytes()).isBetween(497, 512);
    assertThat(large.isTruncated()).isTrue();
    assertThat(large.bytes()).isBetween(1217, 1232);
    assertThat(large.additional()).isEqualTo(1);
  }

  @Test
  @DisplayName("DNS-11 by TCP all addresses")
  void whole() throws Exception {
    mesh(service("pay", "api", many()));

    Message answer = ask(DnsMessages.query(7, API, A), ip("10.0.0.1"), true);

    assertThat(answer.contents()).hasSize(256).doesNotHaveDuplicates();
    assertThat(answer.isTruncated()).isFalse();
  }

  @Test
  @DisplayName("what is no query, no standard query or no message gets its code")
  void refusals() throws Exception {
    mesh();
    ByteBuf response = DnsMessages.query(9, "a", A).setShort(2, 0x8000);
    ByteBuf status = DnsMessages.query(9, "a", A).setShort(2, 2 << 11);
    ByteBuf twoQuestions = DnsMessages.query(9, "a", A).setShort(4, 2);
    ByteBuf cutShort = DnsMessages.query(9, "abcdef", A);
    cutShort.writerIndex(cutShort.writerIndex() - 3);

    assertThat(ask(response, ip("10.0.0.1"), false).code()).isEqualTo(1);
    assertThat(ask(status, ip("10.0.0.1"), false).code()).isEqualTo(4);
    assertThat(ask(twoQuestions, ip("10.0.0.1"), false).code()).isEqualTo(1);
    assertThat(ask(cutShort, ip("10.0.0.1"), false).code()).isEqualTo(1);
  }

  @Test
  @DisplayName("a stranger's query fails, and is not forwarded")
  void stranger() throws Exception {
    mesh(service("pay", "api", "/10.96.0.1"));

    assertThat(ask(DnsMessages.query(9, API, A), ip("10.9.9.9"), false).code()).isEqualTo(2);
    assertThat(forwarded).isEmpty();
  }

  private static void assertEmpty(Message answer) {
    assertThat(answer.code()).isZero();
    assertThat(answer.answers()).isEmpty();
    assertThat(answer.isAuthoritative()).isTrue();
  }

  private static String[] many() {
    String[] vips = new String[256];
    Arrays.setAll(vips, i -> "/10.97.0." + i);
    return vips;
  }

  private Message ask(String name, int type) throws Exception {
    return ask(DnsMessages.query(7, name, type), ip("10.0.0.1"), false);
  }

  private Message ask(ByteBuf query, InetAddress source, boolean byTcp) throws Exception {
    Workload client = Workload.builder("client").namespace("shop").build();
    DnsResponder responder =
        new DnsResponder(
            index::current,
            address -> address.equals(ip("10.0.0.1")) ? client : null,
            new MeshNames(new ServiceNames(clusterDomain, "preferred"), ipv6, new Random(1)),
            this::forward);
    List<ByteBuf> replies = new ArrayList<>();
    responder.answer(new DnsResponder.Asked(query, source, byTcp, replies::add), ALLOCATOR, loop);
    query.release();
    assertThat(replies).hasSize(1);
    try {
      return DnsMessages.read(replies.get(0));
    } finally {
      replies.get(0).release();
    }
  }

  /** Nobody upstream knows anything. */
  private io.netty.util.concurrent.Future<ByteBuf> forward(
      ByteBuf query, boolean byTcp, EventLoop on) {
    forwarded.add(Objects.requireNonNull(DnsQuery.read(query)).name());
    ByteBuf answer = Unpooled.copiedBuffer(query);
    answer.setShort(2, 0x8180 | DnsMessages.NX_DOMAIN);
    return ImmediateEventExecutor.INSTANCE.newSucceededFuture(answer);
  }

  private void mesh(Object... things) {
    UpdateBatch.Builder batch = UpdateBatch.changes();
    for (Object thing : things) {
      batch.put(thing instanceof Service.Builder service ? service.build() : (MeshAddress) thing);
    }
    index.apply(batch.build());
  }

  private static Service.Builder service(String namespace, String name, String... vips) {
    return host(namespace, name + "." + namespace + ".svc.cluster.local", vips);
  }

  private static Service.Builder host(String namespace, String hostname, String... vips) {
    return Service.builder(hostname, namespace, hostname)
        .vips(Arrays.stream(vips).map(NetworkAddress::parse).toList());
  }

  private static Workload pod(String name, String service, String... addresses) {
    return Workload.builder("c1//Pod/pay/" + name)
        .name(name)
        .namespace("pay")
        .addresses(Arrays.stream(addresses).map(DnsResponderTest::ip).toList())
        .services(
            Map.of(
                new NamespacedHostname("pay", service + ".pay.svc.cluster.local"), PortMap.EMPTY))
        .build();
  }

  private static InetAddress ip(String literal) {
    return Objects.requireNonNull(IpAddresses.parse(literal));
  }
}
