// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Traffic.EchoServer;
import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HBONE straight to a pod, by a client that asks for whatever it likes. */
class DirectTunnelTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @TempDir private Path directory;
  private MeshLab lab;
  private Path world;
  private Mesh api;
  private EchoServer application;

  @BeforeEach
  void startApi() throws Exception {
    lab = new MeshLab(directory);
    world =
        lab.file(
            "mesh",
            new World()
                .workload("shop/web/web", lab.at(1))
                .workload(
                    "pay/api/api",
                    lab.at(3),
                    "services: {\"pay/api.pay.svc.cluster.local\": {81: 8081}}")
                .service("pay/api", "\"/" + lab.at(100) + '"', "ports: {80: 8080, 81: 0}"));
    api = lab.pod(world, "pay/api/api");
    application = lab.echo(LOOPBACK, 0);
    api.expose(8080, application.port());
    api.expose(8081, application.port());
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
  }

  private Future<Tunnel> ask(String authority) throws Exception {
    HboneClient client = lab.client("shop/web/web", lab.loop());
    Future<Tunnel> asked =
        client.open(
            new TunnelTarget(
                new InetSocketAddress(lab.address(3), 15008),
                List.of(MeshLab.id("pay/api/api")),
                null,
                Authority.parse(authority),
                TunnelHeaders.NONE),
            new Careless());
    asked.await(30, TimeUnit.SECONDS);
    return asked;
  }

  /** Does not mind how its tunnel ends. */
  private static final class Careless extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  private int status(String authority) throws Exception {
    Future<Tunnel> asked = ask(authority);
    if (asked.isSuccess()) {
      return 200;
    }
    assertThat(asked.cause()).isInstanceOf(TunnelException.Refused.class);
    return ((TunnelException.Refused) asked.cause()).status();
  }

  @Test
  @DisplayName("E2E-11 asking one pod for another's address is 400, and the log says why")
  void otherAddress() throws Exception {
    try (AccessLines log = new AccessLines()) {
      assertThat(status(lab.at(9) + ":8080")).isEqualTo(400);

      assertThat(log.await("connection failed", "direction=inbound"))
          .contains("ip mismatch: " + lab.at(9) + " != " + lab.at(3));
    }
    assertThat(application.accepted()).isEmpty();
  }

  @ParameterizedTest(name = "E2E-12 a service''s host name with a {0} target port is 200")
  @CsvSource({"numeric, 80", "named, 81"})
  void hostname(String kind, int port) throws Exception {
    assertThat(status("api.pay.svc.cluster.local:" + port)).isEqualTo(200);
    assertThat(application.accepted().poll(30, TimeUnit.SECONDS)).isNotNull();
  }

  @ParameterizedTest(name = "IT-14 a tunnel to {0} of a pod is refused with {1}")
  @CsvSource({
    "127.0.0.1:8080, 400",
    "[::1]:8080, 400",
    "POD:15001, 503",
    "POD:15006, 503",
    "POD:15008, 503"
  })
  void loopbackAndMeshPorts(String authority, int status) throws Exception {
    assertThat(status(authority.replace("POD", lab.at(3)))).isEqualTo(status);
    assertThat(application.accepted()).isEmpty();
    assertThat(api.statistics().inboundTunnels()).isZero();
  }

  @ParameterizedTest(name = "E2E-13 a client that dials the mesh''s own ports by {0} is refused")
  @ValueSource(strings = {"its own address", "loopback", "the peer's address"})
  void meshPorts(String how) throws Exception {
    Mesh web = lab.pod(world, "shop/web/web");
    String host =
        switch (how) {
          case "its own address" -> lab.at(1);
          case "loopback" -> "127.0.0.1";
          default -> lab.at(3);
        };

    for (int port : new int[] {15001, 15006, 15008}) {
      assertThatThrownBy(() -> Traffic.connect(web, host, port))
          .as("port %d", port)
          .isInstanceOfAny(MeshException.NoRoute.class, MeshException.PeerRefused.class);
    }
    assertThat(web.statistics().inboundTunnels()).isZero();
    assertThat(api.statistics().inboundTunnels()).isZero();
  }
}
