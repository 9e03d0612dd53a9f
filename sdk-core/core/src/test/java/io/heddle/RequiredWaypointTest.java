// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.SocketException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A workload that lets nobody in around its waypoint, as it may ask the mesh to (reference 3.3).
 */
class RequiredWaypointTest {

  private static final String BEHIND_WAYPOINT =
      "waypoint: {destination: pay/wp.pay.svc.cluster.local}";

  @TempDir private Path directory;
  private MeshLab lab;

  @BeforeEach
  void makeLab() {
    lab = new MeshLab(directory);
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
  }

  @Test
  @DisplayName("who does not come through the waypoint is denied, and the waypoint is not")
  void bypass() throws Exception {
    serving(world(BEHIND_WAYPOINT));
    // Clients that know nothing of the waypoint, as those of an older record do.
    Path open = lab.file("open", world("nativeTunnel: true"));

    Mesh web = lab.pod(open, "shop/web/web");
    Mesh waypoint = lab.pod(open, "pay/wp/wp");

    assertThatThrownBy(() -> Traffic.connect(web, lab.at(3), 8080))
        .isInstanceOf(MeshException.PolicyDenied.class);
    assertThat(Traffic.exchange(waypoint, lab.at(3), 8080, "hello")).isEqualTo("hello");
  }

  @Test
  @DisplayName("without a waypoint there is nothing to come through")
  void noWaypoint() throws Exception {
    World world = world("nativeTunnel: true");
    serving(world);

    Mesh web = lab.pod(lab.file("clients", world), "shop/web/web");

    assertThat(Traffic.exchange(web, lab.at(3), 8080, "hello")).isEqualTo("hello");
  }

  @Test
  @DisplayName("an open connection is reset when a waypoint comes to stand before it")
  void waypointArrives() throws Exception {
    serving(world("nativeTunnel: true"));
    Path open = lab.file("open", world("nativeTunnel: true"));
    Mesh web = lab.pod(open, "shop/web/web");
    try (MeshConnection connection = Traffic.connect(web, lab.at(3), 8080)) {
      Traffic.pingPong(connection);

      lab.file("server", world(BEHIND_WAYPOINT));

      assertThatThrownBy(() -> connection.input().read()).isInstanceOf(SocketException.class);
    }
  }

  private World world(String apiField) {
    return new World()
        .workload("shop/web/web", lab.at(1))
        .workload("pay/api/api", lab.at(3), apiField)
        .workload(
            "pay/wp/wp", lab.at(4), "services: {\"pay/wp.pay.svc.cluster.local\": {15008: 15008}}")
        .service("pay/wp", "\"/" + lab.at(104) + '"', "ports: {15008: 15008}");
  }

  private void serving(World world) throws Exception {
    Mesh api = lab.pod(lab.file("server", world), "pay/api/api", MeshBuilder::requireWaypoint);
    api.expose(8080, lab.echo(InetAddress.getLoopbackAddress(), 0).port());
  }
}
