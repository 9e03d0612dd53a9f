// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.dns.DnsMessages.Message;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.route.ServiceNames;
import io.heddle.internal.state.NetworkAddress;
import io.heddle.internal.state.Service;
import io.heddle.internal.state.UpdateBatch;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Queries over real sockets, with a name server behind. */
class DnsServerTest {

  private static final String API = "api.pay.svc.cluster.local";
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final WorkloadIndex index = new WorkloadIndex("", UnknownPolicies.REFUSE);
  private DnsServer behind;
  private DnsServer server;

  @BeforeEach
  void start() throws Exception {
    index.apply(UpdateBatch.changes().put(service(API, 256)).build());
    WorkloadIndex others = new WorkloadIndex("", UnknownPolicies.REFUSE);
    others.apply(UpdateBatch.changes().put(service("www.example.test", 1)).build());
    behind = server(others, List.of());
    DatagramSocket silent = new DatagramSocket(0, LOOPBACK);
    InetSocketAddress dead = new InetSocketAddress(LOOPBACK, silent.getLocalPort());
    silent.close();
    server = server(index, List.of(dead, behind.address()));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    behind.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
  }

  @Test
  @DisplayName("DNS-11 256 addresses by UDP are cut, and by TCP they are whole")
  void bothTransports() throws Exception {
    assertThat(byUdp(API).isTruncated()).isTrue();
    assertThat(byTcp(API).contents()).hasSize(256);
  }

  @Test
  @DisplayName("DNS-05 what the mesh does not know is asked of the next name server that answers")
  void forwardedByUdp() throws Exception {
    assertThat(byUdp("www.example.test").contents()).containsExactly("10.97.0.0");
  }

  @Test
  @DisplayName("DNS-05 a query by TCP is forwarded by TCP")
  void forwardedByTcp() throws Exception {
    assertThat(byTcp("www.example.test").contents()).containsExactly("10.97.0.0");
  }

  @Test
  @DisplayName("DNS-05 without any answer from a name server the query fails, and is not refused")
  void nobodyAnswers() throws Exception {
    assertThat(byUdp("nobody.example.test").code()).isEqualTo(2);
  }

  @Test
  @DisplayName("garbage harms nobody")
  void garbage() throws Exception {
    Random random = new Random(42);
    try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
      for (int i = 0; i < 500; i++) {
        byte[] bytes = new byte[random.nextInt(80)];
        random.nextBytes(bytes);
        socket.send(new DatagramPacket(bytes, bytes.length, server.address()));
      }
    }

    assertThat(byTcp(API).contents()).hasSize(256);
  }

  private DnsServer server(WorkloadIndex mesh, List<InetSocketAddress> upstream) throws Exception {
    Workload client = Workload.builder("client").namespace("shop").build();
    return DnsServer.bind(
        loops,
        new InetSocketAddress(LOOPBACK, 0),
        new DnsResponder(
            mesh::current,
            address -> client,
            new MeshNames(new ServiceNames("cluster.local", null), true, new Random(1)),
            new NameServers(upstream, Duration.ofSeconds(20))));
  }

  private static Service service(String hostname, int vips) {
    return Service.builder(hostname, "pay", hostname)
        .vips(
            IntStream.range(0, vips).mapToObj(i -> NetworkAddress.parse("/10.97.0." + i)).toList())
        .build();
  }

  private Message byUdp(String name) throws Exception {
    byte[] query = query(name);
    try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
      socket.setSoTimeout(30_000);
      socket.send(new DatagramPacket(query, query.length, server.address()));
      DatagramPacket answer = new DatagramPacket(new byte[4096], 4096);
      socket.receive(answer);
      return checked(Unpooled.wrappedBuffer(answer.getData(), 0, answer.getLength()));
    }
  }

  private Message byTcp(String name) throws Exception {
    byte[] query = query(name);
    try (Socket socket = new Socket(LOOPBACK, server.address().getPort())) {
      socket.setSoTimeout(30_000);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeShort(query.length);
      out.write(query);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      return checked(Unpooled.wrappedBuffer(in.readNBytes(in.readUnsignedShort())));
    }
  }

  private static byte[] query(String name) {
    ByteBuf query = DnsMessages.query(4711, name, DnsMessages.A);
    try {
      return ByteBufUtil.getBytes(query);
    } finally {
      query.release();
    }
  }

  private static Message checked(ByteBuf bytes) throws Exception {
    Message answer = DnsMessages.read(bytes);
    bytes.release();
    assertThat(answer.id()).isEqualTo(4711);
    return answer;
  }
}
