// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.hbone.netty.TunnelRequest;
import java.net.InetAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths through waypoints, as the client takes them. */
class WaypointPathTest {

  private static final String WAYPOINT_SERVICE =
      "services: {\"pay/wp.pay.svc.cluster.local\": {15008: 15008}}";

  @TempDir private Path directory;
  private MeshLab lab;
  private final EchoProxy waypoint = new EchoProxy();

  @BeforeEach
  void makeLab() {
    lab = new MeshLab(directory);
    lab.proxy("pay/wp/wp", waypoint, 4);
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
  }

  private String vip(int host) {
    return '"' + "/" + lab.at(host) + '"';
  }

  private World world() {
    return new World()
        .workload("shop/web/web", lab.at(1))
        .workload("pay/wp/wp", lab.at(4), "hostname: wp-0.example", WAYPOINT_SERVICE)
        .service("pay/wp", vip(104), "ports: {15008: 15008}");
  }

  private Mesh web(World world) throws Exception {
    return lab.pod(lab.file("mesh", world), "shop/web/web");
  }

  @ParameterizedTest(name = "E2E-03 a workload''s waypoint is found by {0}, and asked for the pod")
  @CsvSource({
    "its address, /WP",
    "its service, pay/wp.pay.svc.cluster.local",
    "its host name, pay/wp-0.example"
  })
  void workloadWaypoint(String how, String reference) throws Exception {
    String destination = reference.equals("/WP") ? "/" + lab.at(4) : reference;
    Mesh web =
        web(
            world()
                .workload(
                    "pay/api/api", lab.at(3), "waypoint: {destination: \"" + destination + "\"}"));
    try (AccessLines log = new AccessLines()) {
      assertThat(Traffic.exchange(web, lab.at(3), 8080, "hello")).isEqualTo("hello");

      assertThat(log.await("direction=outbound", "src.identity=" + MeshLab.id("shop/web/web")))
          .contains("dst.addr=" + lab.at(4) + ":15008")
          .contains("dst.hbone_addr=" + lab.at(3) + ":8080")
          .contains("dst.identity=" + MeshLab.id("pay/wp/wp"));
    }
    assertThat(waypoint.asked().take().authority()).hasToString(lab.at(3) + ":8080");
  }

  @Test
  @DisplayName("E2E-04 a service's waypoint is asked for the VIP and the service's port")
  void serviceWaypoint() throws Exception {
    Mesh web =
        web(
            world()
                .workload("pay/api/api", lab.at(3), World.serves("pay/api"))
                .service(
                    "pay/api", vip(100), "waypoint: {destination: pay/wp.pay.svc.cluster.local}"));
    try (AccessLines log = new AccessLines();
        MeshConnection connection = Traffic.connect(web, lab.at(100), 80)) {
      Traffic.pingPong(connection);
      assertThat(connection.peer().orElseThrow())
          .isEqualTo(new PeerIdentity(MeshLab.id("pay/wp/wp"), /* isWaypoint= */ true));
      connection.close();

      assertThat(log.await("direction=outbound", "dst.addr=" + lab.at(4) + ":15008"))
          .contains("dst.hbone_addr=" + lab.at(100) + ":80");
    }
    TunnelRequest request = waypoint.asked().take();
    assertThat(request.authority()).hasToString(lab.at(100) + ":80");
    assertThat(request.headers().forwarded()).endsWith(";host=api.pay.svc.cluster.local");
  }

  private World labelled(String... api) {
    return world()
        .workload("pay/api/api", lab.at(3), World.serves("pay/api"))
        .service("pay/api", vip(100), api);
  }

  @Test
  @DisplayName("IT-06 where the control plane has left a missing waypoint out, it goes direct")
  void noReference() throws Exception {
    Mesh web = web(labelled());
    Mesh api = lab.pod(directory.resolve("mesh.yaml"), "pay/api/api");
    api.expose(8080, lab.echo(InetAddress.getLoopbackAddress(), 0).port());

    try (MeshConnection connection = Traffic.connect(web, "api.pay", 80)) {
      Traffic.pingPong(connection);
      assertThat(connection.peer().orElseThrow().spiffeId()).isEqualTo(MeshLab.id("pay/api/api"));
    }
    assertThat(waypoint.asked()).isEmpty();
  }

  @Test
  @DisplayName("IT-06 a reference that leads nowhere is refused, never passed by")
  void unresolvableReference() throws Exception {
    Mesh web = web(labelled("waypoint: {destination: pay/missing.pay.svc.cluster.local}"));

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.NoRoute.class)
        .hasMessageContaining("waypoint");
  }

  @ParameterizedTest(name = "IT-10 a canary waypoint of weight {0} takes {1} to {2} of 40")
  @CsvSource({"0, 0, 0", "50, 5, 35", "100, 40, 40"})
  void canary(int weight, int atLeast, int atMost) throws Exception {
    EchoProxy canary = new EchoProxy();
    lab.proxy("pay/canary/canary", canary, 6);
    Mesh web =
        web(
            world()
                .workload("pay/canary/canary", lab.at(6))
                .workload("pay/api/api", lab.at(3), World.serves("pay/api"))
                .service(
                    "pay/api",
                    vip(100),
                    "waypoint: {destination: \"/" + lab.at(4) + "\"}",
                    "weightedWaypoints: [{destination: \"/%s\", weight: %d}, %s]"
                        .formatted(
                            lab.at(4),
                            100 - weight,
                            "{destination: \"/" + lab.at(6) + "\", weight: " + weight + "}")));

    for (int i = 0; i < 40; i++) {
      Traffic.exchange(web, "api.pay", 80, "hello");
    }

    assertThat(canary.asked()).hasSizeBetween(atLeast, atMost);
    assertThat(waypoint.asked()).hasSize(40 - canary.asked().size());
  }

  @Test
  @DisplayName("IT-10 without its canary the primary waypoint takes all")
  void canaryMissing() throws Exception {
    Mesh web =
        web(
            labelled(
                "waypoint: {destination: pay/wp.pay.svc.cluster.local}", "weightedWaypoints: []"));

    for (int i = 0; i < 10; i++) {
      Traffic.exchange(web, "api.pay", 80, "hello");
    }

    assertThat(waypoint.asked()).hasSize(10);
  }
}
