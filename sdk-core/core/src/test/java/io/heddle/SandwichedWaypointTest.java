// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.SandwichedProxy.Header;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A waypoint whose tunnels a mesh ends for it: web to wp to api. */
class SandwichedWaypointTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @TempDir private Path directory;
  private MeshLab lab;
  private final BlockingQueue<PeerIdentity> callers = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void makeLab() {
    lab = new MeshLab(directory);
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
    Traffic.end(threads);
  }

  private static final String ONLY_THE_WAYPOINT =
      """
      - name: allow-nothing
        namespace: istio-system
        scope: Global
        action: Allow
        dryRun: false
        rules: []
      - name: from-the-waypoint
        namespace: pay
        scope: Namespace
        action: Allow
        dryRun: false
        rules:
        - - - principals: [!Exact cluster.local/ns/pay/sa/wp]
      """;

  @Test
  @DisplayName(
      "IT-05 allow-nothing and an allowance for the waypoint leave only the path through it")
  void onlyThroughTheWaypoint() throws Exception {
    SandwichedProxy proxy = lab.closing(new SandwichedProxy(LOOPBACK, null));
    String tunnel = "{protocol: PROXY, port: " + proxy.port() + "}";
    Path members = world(tunnel);
    Path guarded = lab.file("guarded", described(tunnel).policies(ONLY_THE_WAYPOINT));
    serveApi(guarded);
    proxy.within(lab.pod(members, "pay/wp/wp"));
    Mesh web = lab.pod(members, "shop/web/web");
    Mesh bypassing =
        lab.pod(
            lab.file(
                "unaware",
                new World()
                    .workload("shop/batch/batch", lab.at(2))
                    .workload("pay/api/api", lab.at(3))),
            "shop/batch/batch");

    assertThat(Traffic.exchange(web, lab.at(3), 8080, "hello")).isEqualTo("hello");
    assertThatThrownBy(() -> Traffic.connect(bypassing, lab.at(3), 8080))
        .isInstanceOf(MeshException.PolicyDenied.class);
    assertThat(callers).containsOnly(new PeerIdentity(MeshLab.id("pay/wp/wp"), true));
  }

  /** The waypoint's service declares no ports: its pods have an application tunnel. */
  private Path world(String tunnel) throws Exception {
    return lab.file("mesh", described(tunnel));
  }

  private World described(String tunnel) {
    return new World()
        .workload("shop/web/web", lab.at(1))
        .workload(
            "pay/api/api",
            lab.at(3),
            "waypoint: {destination: pay/wp.pay.svc.cluster.local}",
            World.serves("pay/api"))
        .workload(
            "pay/wp/wp",
            lab.at(4),
            "applicationTunnel: " + tunnel,
            "services: {\"pay/wp.pay.svc.cluster.local\": {}}")
        .service("pay/wp", '"' + "/" + lab.at(104) + '"', "ports: {}")
        .service(
            "pay/api",
            '"' + "/" + lab.at(100) + '"',
            "waypoint: {destination: pay/wp.pay.svc.cluster.local}");
  }

  private void serveApi(Path world) {
    Mesh api = lab.pod(world, "pay/api/api");
    api.expose(
        8080,
        connection -> {
          callers.add(connection.peer().orElseThrow());
          connection.input().transferTo(connection.output());
          connection.shutdownOutput();
        },
        threads);
  }

  private Mesh meshWithProxy(SandwichedProxy proxy) throws Exception {
    Path world = world("{protocol: PROXY, port: " + proxy.port() + "}");
    serveApi(world);
    proxy.within(lab.pod(world, "pay/wp/wp"));
    return lab.pod(world, "shop/web/web");
  }

  @Test
  @DisplayName("E2E-06 a sandwiched waypoint with PROXY is told caller and target, and it works")
  void proxyProtocol() throws Exception {
    SandwichedProxy proxy = lab.closing(new SandwichedProxy(LOOPBACK, null));
    Mesh web = meshWithProxy(proxy);

    assertThat(Traffic.exchange(web, lab.at(3), 8080, "hello")).isEqualTo("hello");
    Header header = proxy.headers().take();
    assertThat(header.identity()).isEqualTo(MeshLab.id("shop/web/web").toString());
    assertThat(header.source().getAddress()).isEqualTo(lab.address(1));
    assertThat(header.destination()).isEqualTo(new InetSocketAddress(lab.address(3), 8080));
    assertThat(callers.take())
        .isEqualTo(new PeerIdentity(MeshLab.id("pay/wp/wp"), /* isWaypoint= */ true));
  }

  @Test
  @DisplayName("a waypoint of a service is told the VIP")
  void serviceAddressed() throws Exception {
    SandwichedProxy proxy = lab.closing(new SandwichedProxy(LOOPBACK, null));
    Mesh web = meshWithProxy(proxy);

    assertThat(Traffic.exchange(web, "api.pay", 80, "hello")).isEqualTo("hello");
    assertThat(proxy.headers().take().destination())
        .isEqualTo(new InetSocketAddress(lab.address(100), 80));
  }

  @Test
  @DisplayName("the header comes at once, also to an application that speaks first")
  void headerBeforeAnyByte() throws Exception {
    SandwichedProxy proxy = lab.closing(new SandwichedProxy(LOOPBACK, null));
    Mesh web = meshWithProxy(proxy);

    try (Socket silent = web.socketFactory().createSocket(lab.at(3), 8080)) {
      assertThat(proxy.headers().take().identity()).endsWith("/sa/web");
      assertThat(silent.isConnected()).isTrue();
    }
  }

  @Test
  @DisplayName("E2E-06 a sandwiched waypoint without PROXY gets the bytes alone, and it works")
  void noHeader() throws Exception {
    SandwichedProxy proxy =
        lab.closing(
            new SandwichedProxy(lab.address(4), new InetSocketAddress(lab.address(3), 8080)));
    Path world = world("{protocol: NONE, port: " + proxy.port() + "}");
    serveApi(world);
    proxy.within(lab.pod(world, "pay/wp/wp"));
    Mesh web = lab.pod(world, "shop/web/web");

    assertThat(Traffic.exchange(web, lab.at(3), 8080, "hello")).isEqualTo("hello");
    assertThat(callers.take().spiffeId()).isEqualTo(MeshLab.id("pay/wp/wp"));
  }

  @Test
  @DisplayName("in the process nothing reads a PROXY header, so that delivery is refused")
  void inProcess() throws Exception {
    Path world = world("{protocol: PROXY, port: 15088}");
    Mesh wp = lab.pod(world, "pay/wp/wp");
    wp.expose(15088, connection -> callers.add(connection.peer().orElseThrow()), threads);
    Mesh web = lab.pod(world, "shop/web/web");

    assertThatThrownBy(() -> Traffic.connect(web, lab.at(3), 8080))
        .isInstanceOfSatisfying(
            MeshException.PeerRefused.class, e -> assertThat(e.status()).isEqualTo(503));
    assertThat(callers).isEmpty();
  }
}
