// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testing.NetworkNamespace;
import io.heddle.testing.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pod of a strict namespace on a host of its own, and who dials it over the link to its node. */
@Requires("namespaces")
class StrictPodTest {

  private static final String POD = "10.99.0.2";
  private static final String NODE = "10.99.0.1";
  private static final String NEIGHBOUR = "10.99.0.3";

  /** From where the node's agent lets probes come (DESIGN D29). */
  private static final String PROBE = "169.254.7.127";

  private static final String MESH =
      """
      workloads:
      - uid: c1//Pod/pay/api
        name: api
        namespace: pay
        serviceAccount: api
        protocol: HBONE
        workloadIps: ["10.99.0.2"]
        services: {pay/api.pay.svc.cluster.local: {80: 8080}}
      - uid: c1//Pod/shop/web
        name: web
        namespace: shop
        serviceAccount: web
        protocol: HBONE
        workloadIps: ["10.99.0.1"]
        services: {}
      services:
      - name: api
        namespace: pay
        hostname: api.pay.svc.cluster.local
        vips: ["/10.98.0.1"]
        ports: {80: 8080}
      policies:
      - name: istio_converted_static_strict
        namespace: pay
        scope: Namespace
        action: Deny
        dryRun: false
        rules:
        - - - notPrincipals: [!Presence []]
      """;

  @TempDir private static Path directory;
  private static NetworkNamespace podHost;
  private static NetworkNamespace nodeHost;
  private static HostProcess pod;
  private static HostProcess node;

  @BeforeAll
  static void start() throws Exception {
    podHost = NetworkNamespace.create();
    nodeHost = NetworkNamespace.create();
    nodeHost.link(
        List.of(NODE + "/24", NEIGHBOUR + "/24", PROBE + "/32"), podHost, List.of(POD + "/24"));
    podHost.ip("route", "add", PROBE, "dev", "eth0");
    String file = Files.writeString(directory.resolve("mesh.yaml"), MESH).toString();
    String root = directory.resolve("root").toString();
    pod = HostProcess.start(podHost, PodProgram.class, file, root, "pay/api/api");
    node = HostProcess.start(nodeHost, NodeProgram.class, file, root, "shop/web/web");
  }

  @AfterAll
  static void stop() throws Exception {
    try (NetworkNamespace first = podHost;
        NetworkNamespace second = nodeHost;
        HostProcess third = pod;
        HostProcess fourth = node) {
      assertThat(List.of(first, second, third, fourth)).doesNotContainNull();
    }
  }

  @Test
  @DisplayName("IT-04 a strict pod passes the kubelet's probe of its application")
  void probe() throws Exception {
    assertThat(node.ask("echo", PROBE, POD, "8080")).isEqualTo("hello");
  }

  @Test
  @DisplayName("IT-04 a strict pod cuts callers in plain text, the node's own address too")
  void plainCallers() throws Exception {
    assertThat(node.ask("echo", NEIGHBOUR, POD, "8080")).isIn("", "SocketException");
    assertThat(node.ask("echo", NODE, POD, "8080")).isIn("", "SocketException");
  }

  @Test
  @DisplayName("IT-04 a strict pod serves members of the mesh")
  void members() throws Exception {
    assertThat(node.ask("mesh", "api.pay")).isEqualTo("hello");
  }

  @Test
  @DisplayName("IT-04 a strict pod tells the kubelet at its own address that it is ready")
  void readiness() throws Exception {
    assertThat(node.ask("ready", NODE, POD)).contains(" 200 ");
  }
}
