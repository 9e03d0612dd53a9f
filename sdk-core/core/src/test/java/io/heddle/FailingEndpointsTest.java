// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service with endpoints that cannot be reached, beside one that can. */
class FailingEndpointsTest {

  @TempDir private Path directory;
  private MeshLab lab;
  private final TelemetryRecorder telemetry = new TelemetryRecorder();

  @BeforeEach
  void makeLab() {
    lab = new MeshLab(directory);
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
  }

  @Test
  @DisplayName("a connection goes to another endpoint when the first cannot be reached")
  void anotherEndpoint() throws Exception {
    Path file = world("");
    Mesh web = web(file, EndpointSelection.defaults());
    serving(file);

    for (int i = 0; i < 20; i++) {
      assertThat(Traffic.exchange(web, "api.pay", 80, "hello")).isEqualTo("hello");
    }

    assertThat(web.statistics().retries()).isPositive();
  }

  @Test
  @DisplayName("an endpoint that keeps failing is left out, and is counted")
  void ejected() throws Exception {
    Path file = world("");
    Mesh web = web(file, new EndpointSelection(false, 1, Duration.ofHours(1), 3));
    serving(file);

    for (int i = 0; i < 40; i++) {
      Traffic.exchange(web, "api.pay", 80, "hello");
    }

    assertThat(web.statistics().ejectedEndpoints()).isEqualTo(2);
    assertThat(web.statistics().retries()).isLessThanOrEqualTo(2);
  }

  @Test
  @DisplayName("each attempt is one connection of telemetry, and only the last one succeeds")
  void observed() throws Exception {
    Path file = world("");
    Mesh web = web(file, new EndpointSelection(false, 1, Duration.ofHours(1), 3));
    serving(file);
    for (int i = 0; i < 40; i++) {
      Traffic.exchange(web, "api.pay", 80, "hello");
    }
    long retries = web.statistics().retries();

    lab.close();

    List<String> flags = new ArrayList<>();
    telemetry.endedSoFar().forEach(seen -> flags.add(seen.flags()));
    assertThat(flags).hasSize(40 + (int) retries);
    assertThat(flags.stream().filter("CONNECT"::equals)).hasSize((int) retries);
  }

  @Test
  @DisplayName("attempts end, and the last failure is told")
  void noneReachable() throws Exception {
    Path file = world("");
    Mesh web = web(file, EndpointSelection.defaults());

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.ConnectFailed.class);
    assertThat(web.statistics().retries()).isEqualTo(2);
  }

  @Test
  @DisplayName("nothing is tried twice when retries are switched off")
  void switchedOff() throws Exception {
    Path file = world("");
    Mesh web = web(file, EndpointSelection.likeNodeProxy());

    assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
        .isInstanceOf(MeshException.ConnectFailed.class);
    assertThat(web.statistics().retries()).isZero();
  }

  @Test
  @DisplayName("a denial by policy is not tried elsewhere")
  void denied() throws Exception {
    Path file =
        world(
            """
            - name: nothing
              namespace: pay
              scope: Namespace
              action: Allow
              dryRun: false
              rules: []
            """);
    Mesh web = web(file, new EndpointSelection(false, 1, Duration.ofHours(1), 3));
    serving(file);

    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> Traffic.connect(web, "api.pay", 80))
          .isInstanceOf(MeshException.PolicyDenied.class);
    }

    assertThat(web.statistics().retries()).isLessThanOrEqualTo(2);
  }

  /** Three pods of one service, of which the tests start the first at most. */
  private Path world(String policies) throws Exception {
    World world =
        new World()
            .workload("shop/web/web", lab.at(1))
            .service("pay/api", "\"/" + lab.at(100) + '"')
            .policies(policies);
    for (int pod = 2; pod <= 4; pod++) {
      world.workload("pay/api-" + pod + "/api", lab.at(pod), World.serves("pay/api"));
    }
    return lab.file("mesh", world);
  }

  private Mesh web(Path file, EndpointSelection selection) {
    return lab.pod(
        file, "shop/web/web", builder -> builder.telemetry(telemetry).endpointSelection(selection));
  }

  private void serving(Path file) throws Exception {
    Mesh api = lab.pod(file, "pay/api-2/api");
    api.expose(8080, lab.echo(InetAddress.getLoopbackAddress(), 0).port());
  }
}
