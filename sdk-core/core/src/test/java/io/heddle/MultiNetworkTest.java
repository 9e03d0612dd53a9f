// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.TelemetryRecorder.Seen;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.spi.ConnectionLabels.Party;
import io.heddle.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client on network east, a service on network west, and a gateway between them. */
class MultiNetworkTest {

  private static final String AUTHORITY = "api.pay.svc.cluster.local:80";
  private static final String NAMED = "subjectAltNames: [\"spiffe://cluster.local/ns/pay/sa/api\"]";

  @TempDir private Path directory;
  private MeshLab lab;
  private EastWestGateway gateway;
  private final TelemetryRecorder telemetry = new TelemetryRecorder();

  @BeforeEach
  void makeLab() throws Exception {
    lab = new MeshLab(directory);
    gateway = new EastWestGateway(Map.of(AUTHORITY, new InetSocketAddress(lab.address(3), 15008)));
    lab.proxy("istio-system/eastwest/eastwest", gateway, 5, 15008, 15009);
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
  }

  /** How east sees west: an endpoint without an address, behind a gateway. */
  private World east(String gateway, String... service) {
    return new World()
        .workload("shop/web/web", lab.at(1), "network: east")
        .workload(
            "pay/remote/remote",
            "",
            "network: west",
            "networkGateway: {destination: " + gateway + ", hboneMtlsPort: 15009}",
            World.serves("pay/api"))
        .workload(
            "istio-system/eastwest/eastwest",
            lab.at(5),
            "network: west",
            "services: {\"istio-system/eastwest.istio-system.svc.cluster.local\": {15009: 15008}}")
        .service("istio-system/eastwest", "\"west/" + lab.at(105) + '"', "ports: {15009: 15008}")
        .service("pay/api", "\"east/" + lab.at(100) + '"', service);
  }

  private String byAddress() {
    return "west/" + lab.at(5);
  }

  private Mesh api() throws Exception {
    World west =
        new World()
            .workload("pay/api/api", lab.at(3), "network: west", World.serves("pay/api"))
            .service("pay/api", "\"west/" + lab.at(101) + '"');
    Mesh api = lab.pod(lab.file("west", west), "pay/api/api");
    api.expose(8080, lab.echo(InetAddress.getLoopbackAddress(), 0).port());
    return api;
  }

  private Mesh web(World east) throws Exception {
    return lab.pod(lab.file("east", east), "shop/web/web", builder -> builder.telemetry(telemetry));
  }

  @ParameterizedTest(name = "E2E-05 a remote service is reached by its gateway, given by {0}")
  @ValueSource(strings = {"address", "service"})
  void throughGateway(String how) throws Exception {
    api();
    boolean byService = how.equals("service");
    String reference =
        byService ? "istio-system/eastwest.istio-system.svc.cluster.local" : byAddress();
    Mesh web = web(east(reference, NAMED));

    assertThat(Traffic.exchange(web, lab.at(100), 80, "hello")).isEqualTo("hello");
    TunnelRequest outer = gateway.asked().take();
    assertThat(outer.authority()).hasToString(AUTHORITY);
    assertThat(outer.localAddress().getPort()).isEqualTo(byService ? 15008 : 15009);
    assertThat(outer.headers().forwardedNetwork()).isNull();
  }

  @Test
  @DisplayName("E2E-05 the client's peer is the final workload, not the gateway")
  void finalPeer() throws Exception {
    api();
    Mesh web = web(east(byAddress(), NAMED));

    try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
      Traffic.pingPong(connection);
      assertThat(connection.peer().orElseThrow().spiffeId()).isEqualTo(MeshLab.id("pay/api/api"));
      assertThat(connection.remoteAddress())
          .isEqualTo(new InetSocketAddress(lab.address(5), 15009));
    }
  }

  @Test
  @DisplayName("E2E-05 telemetry names the final workload, in the words of its answer")
  void finalLabels() throws Exception {
    api();
    Mesh web = web(east(byAddress(), NAMED));
    Traffic.exchange(web, "api.pay", 80, "hello");

    Seen seen = telemetry.ended();
    Party destination = seen.labels().destination();
    assertThat(destination.workload()).isEqualTo("api");
    assertThat(destination.cluster()).isEqualTo("c1");
    assertThat(destination.principal()).isEqualTo(MeshLab.id("pay/api/api").toString());
    assertThat(seen.labels().service()).isEqualTo("api.pay.svc.cluster.local");
    assertThat(seen.fromInitiator()).isEqualTo(5);
    assertThat(seen.flags()).isEqualTo("-");
  }

  @Test
  @DisplayName("E2E-05 the log has the gateway as next hop, and the final identity")
  void log() throws Exception {
    api();
    Mesh web = web(east(byAddress(), NAMED));
    try (AccessLines log = new AccessLines()) {
      Traffic.exchange(web, "api.pay", 80, "hello");

      assertThat(log.await("direction=outbound", "src.identity=" + MeshLab.id("shop/web/web")))
          .contains("dst.addr=" + lab.at(5) + ":15009")
          .contains("dst.hbone_addr=" + AUTHORITY)
          .contains("dst.workload=api")
          .contains("dst.identity=" + MeshLab.id("pay/api/api"));
    }
  }

  /** Two clusters of one service; the own network goes first. */
  private World bothClusters(String localStatus) {
    return east(byAddress(), NAMED, "loadBalancer: {mode: Failover, routingPreferences: [Network]}")
        .workload(
            "pay/local/api",
            lab.at(6),
            "network: east",
            "status: " + localStatus,
            World.serves("pay/api"));
  }

  @Test
  @DisplayName("IT-09 without local endpoints the service of the other cluster takes over")
  void failover() throws Exception {
    api();
    Mesh local = lab.pod(lab.file("local", bothClusters("Healthy")), "pay/local/api");
    local.expose(8080, lab.echo(InetAddress.getLoopbackAddress(), 0).port());
    Mesh web = web(bothClusters("Healthy"));

    assertThat(Traffic.exchange(web, "api.pay", 80, "near")).isEqualTo("near");
    assertThat(gateway.asked()).isEmpty();

    lab.file("east", bothClusters("Unhealthy"));
    local.close();
    Eventually.holds("the other cluster is used", () -> isServed(web));
    assertThat(gateway.asked()).isNotEmpty();
  }

  /** Until the loss is known the local endpoint is still tried. */
  private static boolean isServed(Mesh web) {
    try {
      return Traffic.exchange(web, "api.pay", 80, "far").equals("far");
    } catch (IOException | MeshException.ConnectFailed notYet) {
      return false;
    }
  }

  private static final String WAYPOINT = "pay/wp.pay.svc.cluster.local";

  private World bothWaypoints(String localStatus) {
    String serves = "services: {\"" + WAYPOINT + "\": {15008: 15008}}";
    return east(byAddress(), "waypoint: {destination: " + WAYPOINT + "}")
        .workload("pay/wp-east/wp", lab.at(7), "network: east", "status: " + localStatus, serves)
        .workload(
            "pay/wp-west/wp",
            "",
            "network: west",
            "networkGateway: {destination: " + byAddress() + ", hboneMtlsPort: 15009}",
            serves)
        .service(
            "pay/wp",
            "\"east/" + lab.at(107) + '"',
            "ports: {15008: 15008}",
            "loadBalancer: {mode: Failover, routingPreferences: [Network]}",
            "subjectAltNames: [\"" + MeshLab.id("pay/wp-west/wp") + "\"]");
  }

  @Test
  @DisplayName("IT-09 without local waypoints that of the other cluster takes over")
  void waypointFailover() throws Exception {
    EchoProxy near = new EchoProxy();
    EchoProxy far = new EchoProxy();
    lab.proxy("pay/wp-east/wp", near, 7);
    lab.proxy("pay/wp-west/wp", far, 3);
    Mesh web = web(bothWaypoints("Healthy"));

    assertThat(Traffic.exchange(web, "api.pay", 80, "near")).isEqualTo("near");
    assertThat(near.asked().take().authority()).hasToString(lab.at(100) + ":80");
    assertThat(far.asked()).isEmpty();

    lab.file("east", bothWaypoints("Unhealthy"));
    Eventually.holds("the far waypoint is used", () -> isServed(web) && !far.asked().isEmpty());
    assertThat(far.asked().take().authority()).hasToString(AUTHORITY);
    try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
      assertThat(connection.peer().orElseThrow())
          .isEqualTo(new PeerIdentity(MeshLab.id("pay/wp-west/wp"), /* isWaypoint= */ true));
    }
  }

  @Test
  @DisplayName("the far end attributes the caller by its baggage, not by the gateway's address")
  void callerAtTheFarEnd() throws Exception {
    TelemetryRecorder farEnd = new TelemetryRecorder();
    World west =
        new World()
            .workload("pay/api/api", lab.at(3), "network: west", World.serves("pay/api"))
            .workload("istio-system/eastwest/eastwest", lab.at(5), "network: west")
            .service("pay/api", "\"west/" + lab.at(101) + '"');
    Mesh api = lab.pod(lab.file("west", west), "pay/api/api", builder -> builder.telemetry(farEnd));
    api.expose(8080, lab.echo(InetAddress.getLoopbackAddress(), 0).port());
    Traffic.exchange(web(east(byAddress(), NAMED)), "api.pay", 80, "hello");

    Party caller = farEnd.ended().labels().source();
    assertThat(caller.workload()).isEqualTo("web");
    assertThat(caller.principal()).isEqualTo(MeshLab.id("shop/web/web").toString());
  }

  @Test
  @DisplayName("a service that names nobody behind its gateway is refused, and it is said why")
  void nobodyNamed() throws Exception {
    Mesh web = web(east(byAddress()));

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.NoRoute.class)
        .hasMessageContaining("names no identity")
        .hasMessageContaining("subject alternative names");
    assertThat(gateway.asked()).isEmpty();
  }

  @Test
  @DisplayName("a failure at the gateway says that it was there")
  void gatewayRefuses() throws Exception {
    World east = east(byAddress(), NAMED, "ports: {80: 8080, 81: 8080}");
    Mesh web = web(east);

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 81))
        .isInstanceOfSatisfying(
            MeshException.PeerRefused.class, refused -> assertThat(refused.status()).isEqualTo(404))
        .hasMessageContaining("at the network gateway")
        .cause()
        .isInstanceOf(TunnelException.Nested.class);
  }

  @Test
  @DisplayName("a peer behind the gateway that the service does not name is not trusted")
  void strangerBehindTheGateway() throws Exception {
    api();
    Mesh web =
        web(east(byAddress(), "subjectAltNames: [\"spiffe://cluster.local/ns/pay/sa/other\"]"));

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.PeerUntrusted.class)
        .hasMessageContaining("behind the network gateway");
    Seen seen = telemetry.ended();
    assertThat(seen.flags()).isEqualTo("TLS_FAILURE");
    assertThat(seen.labels().destination().principal()).isEmpty();
  }

  @Test
  @DisplayName("a denial by the destination behind the gateway is the application's to know")
  void denied() throws Exception {
    World west =
        new World()
            .workload("pay/api/api", lab.at(3), "network: west", World.serves("pay/api"))
            .service("pay/api", "\"west/" + lab.at(101) + '"')
            .policies(
                """
                - name: nobody
                  namespace: pay
                  scope: Namespace
                  action: Allow
                  dryRun: false
                  rules: []
                """);
    lab.pod(lab.file("west", west), "pay/api/api");
    Mesh web = web(east(byAddress(), NAMED));

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.PolicyDenied.class)
        .hasMessageContaining("behind the network gateway");
    assertThat(telemetry.ended().flags()).isEqualTo("DENY");
  }
}
