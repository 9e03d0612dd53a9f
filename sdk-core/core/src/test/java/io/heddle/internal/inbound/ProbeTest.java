// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.heddle.internal.local.LocalConfig;
import io.heddle.internal.policy.UnknownPolicies;
import io.heddle.internal.state.Workload;
import io.heddle.internal.state.WorkloadIndex;
import io.heddle.internal.telemetry.ConnectionObserver;
import io.heddle.spi.MeshTelemetry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The kubelet at a port of a strict workload (DESIGN D29). */
class ProbeTest {

  private static final String STRICT_WORKLOAD =
      """
      workloads:
      - uid: c1//v1/Pod/pay/api
        name: api
        namespace: pay
        serviceAccount: api
        workloadIps: ["127.0.0.1"]
        services: {}
      services: []
      policies:
      - name: istio_converted_static_strict
        namespace: pay
        scope: Namespace
        action: Deny
        dryRun: false
        rules:
        - - - notPrincipals: [!Presence []]
      """;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private ServerSocket application;
  private PlainIngress ingress;
  private int port;

  @BeforeEach
  void serve() throws Exception {
    TrustDomain trustDomain = TrustDomain.parse("cluster.local");
    WorkloadIndex index = new WorkloadIndex("", UnknownPolicies.REFUSE);
    index.apply(LocalConfig.parse(STRICT_WORKLOAD, "mesh.yaml", trustDomain).replacement());
    Workload own = index.current().workload("c1//v1/Pod/pay/api");
    TunnelTerminator terminator =
        new TunnelTerminator(
            index::current,
            () -> own,
            SpiffeId.workload(trustDomain, "pay", "api"),
            new Exposures(),
            new PeerRegistry(),
            new ConnectionObserver(MeshTelemetry.none(), System::nanoTime),
            Duration.ZERO,
            true,
            false);
    application = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
    port = application.getLocalPort();
    // The same number at another address: as a pod's own is another than loopback.
    ingress =
        new PlainIngress(
            terminator,
            loops,
            List.of(InetAddress.getByName("127.44.0.1")),
            Set.of(InetAddress.getByName("127.44.0.99")));
    ingress.open(
        port, new Delivery.ByTcp(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port)));
  }

  @AfterEach
  void stop() throws Exception {
    ingress.drain(Duration.ofMillis(100));
    application.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
  }

  @Test
  @DisplayName("IT-04 a probe of the kubelet reaches a strict workload, and nobody else does")
  void probe() throws Exception {
    try (Socket probe = from("127.44.0.99");
        Socket accepted = application.accept()) {
      probe.getOutputStream().write(7);
      assertThat(accepted.getInputStream().read()).isEqualTo(7);
    }
    try (Socket stranger = from("127.44.0.98")) {
      assertThat(isCut(stranger)).isTrue();
    }
  }

  private Socket from(String address) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(address, 0));
    socket.connect(new InetSocketAddress("127.44.0.1", port), 10_000);
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static boolean isCut(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }
}
