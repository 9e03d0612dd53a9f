// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators and the kubelet may ask of a running mesh (DESIGN D29, D34). */
class AdminEndpointTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int READINESS_PORT = 15021;

  @TempDir private Path directory;
  private MeshFixture fixture;

  @BeforeEach
  void makeFixture() throws Exception {
    fixture = new MeshFixture(directory);
  }

  @AfterEach
  void closeFixture() throws Exception {
    fixture.close();
  }

  @Test
  @DisplayName("local mode serves no operators unless asked to")
  void offByDefault() {
    assertThat(fixture.api().adminAddress()).isEmpty();
  }

  @Test
  @DisplayName("asked for any port, the mesh serves operators on loopback and says where")
  void onLoopback() {
    InetSocketAddress admin = admin();

    assertThat(admin.getAddress().isLoopbackAddress()).isTrue();
    assertThat(admin.getPort()).isPositive();
  }

  @Test
  @DisplayName("APP-08 /config_dump shows workloads, services, policies and the certificate")
  void configDump() throws Exception {
    InetSocketAddress admin = admin();

    String response = RawHttp.get(admin, "/config_dump");

    assertThat(response).startsWith("HTTP/1.1 200 ").contains("application/json");
    JsonNode dump = MAPPER.readTree(RawHttp.body(response));
    assertThat(dump.get("workloads").findValuesAsText("uid"))
        .containsExactly("c1//v1/Pod/pay/api", "c1//v1/Pod/shop/batch", "c1//v1/Pod/shop/web");
    assertThat(dump.get("services").findValuesAsText("hostname"))
        .containsExactly("api.pay.svc.cluster.local", "empty.pay.svc.cluster.local");
    assertThat(dump.at("/certificates/0/identity").asText())
        .isEqualTo("spiffe://cluster.local/ns/pay/sa/api");
    assertThat(dump.at("/certificates/0/state").asText()).isEqualTo("Available");
  }

  @Test
  @DisplayName("the dump of the API is the dump of the endpoint")
  void sameByApi() throws Exception {
    Mesh mesh = fixture.start("pay/api/api", builder -> builder.admin(0));

    String served = RawHttp.body(RawHttp.get(mesh.adminAddress().orElseThrow(), "/config_dump"));

    assertThat(served).isEqualTo(mesh.configDump());
  }

  @Test
  @DisplayName("B196 no page and no text of a key shows private material")
  void noSecrets() throws Exception {
    Mesh mesh = fixture.start("pay/api/api", builder -> builder.admin(0));
    InetSocketAddress admin = mesh.adminAddress().orElseThrow();
    String keyBytes =
        Base64.getEncoder()
            .encodeToString(mesh.identity().current().svid().privateKey().getEncoded());
    JsonNode dump = MAPPER.readTree(mesh.configDump());

    assertThat(mesh.configDump() + RawHttp.get(admin, "/") + RawHttp.post(admin, "/logging"))
        .doesNotContain("PRIVATE KEY")
        .doesNotContain(keyBytes);
    for (JsonNode pem : dump.findValues("pem")) {
      assertThat(new String(Base64.getDecoder().decode(pem.asText()), StandardCharsets.US_ASCII))
          .startsWith("-----BEGIN CERTIFICATE-----")
          .doesNotContain("PRIVATE");
    }
    assertThat(mesh.identity().current().toString()).doesNotContain(keyBytes);
  }

  @Test
  @DisplayName("a name that was made to lead to loopback is refused")
  void foreignHost() throws Exception {
    InetSocketAddress admin = admin();

    assertThat(RawHttp.exchange(admin, "GET /config_dump HTTP/1.1", "Host: evil.example.test"))
        .startsWith("HTTP/1.1 403 ")
        .doesNotContain("workloads");
    assertThat(RawHttp.exchange(admin, "GET /config_dump HTTP/1.1")).startsWith("HTTP/1.1 403 ");
    assertThat(
            RawHttp.exchange(admin, "GET / HTTP/1.1", "Host: localhost", "Host: evil.example.test"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(RawHttp.exchange(admin, "GET / HTTP/1.1", "Host: [::1]:1"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  @DisplayName("a form of another site is refused, and changes nothing")
  void crossOrigin() throws Exception {
    InetSocketAddress admin = admin();

    assertThat(
            RawHttp.exchange(
                admin,
                "POST /logging?level=trace HTTP/1.1",
                "Host: localhost:" + admin.getPort(),
                "Origin: http://evil.example.test",
                "Content-Length: 0"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(
            RawHttp.exchange(
                admin,
                "POST /logging HTTP/1.1",
                "Host: localhost:" + admin.getPort(),
                "Origin: null",
                "Content-Length: 0"))
        .startsWith("HTTP/1.1 403 ");
  }

  @Test
  @DisplayName("/logging says clearly that this backend's levels cannot be changed")
  void fixedLevels() throws Exception {
    assertThat(RawHttp.post(admin(), "/logging?level=debug"))
        .startsWith("HTTP/1.1 501 ")
        .contains("org.slf4j.simple.SimpleLoggerFactory");
  }

  @Test
  @DisplayName("/logging by GET, unknown pages and garbage are refused")
  void refusals() throws Exception {
    InetSocketAddress admin = admin();

    assertThat(RawHttp.get(admin, "/logging")).startsWith("HTTP/1.1 405 ");
    assertThat(RawHttp.get(admin, "/quitquitquit")).startsWith("HTTP/1.1 404 ");
    assertThat(RawHttp.get(admin, "/%zz")).startsWith("HTTP/1.1 400 ");
    assertThat(RawHttp.exchange(admin, "\u0000\u0001 nonsense")).startsWith("HTTP/1.1 400 ");
    assertThat(
            RawHttp.exchange(
                admin, "POST /logging HTTP/1.1", "Host: localhost", "Content-Length: 9999999"))
        .startsWith("HTTP/1.1 413 ");
  }

  @Test
  @DisplayName("a port that is taken is warned of, and the mesh starts without")
  void takenPort() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Mesh mesh = fixture.start("pay/api/api", builder -> builder.admin(taken.getLocalPort()));

      assertThat(mesh.adminAddress()).isEmpty();
      assertThat(mesh.hboneAddresses()).hasSize(1);
    }
  }

  @Test
  @DisplayName("readiness is served on the workload's address, in the words of the peer")
  void readiness() throws Exception {
    fixture.api();
    InetSocketAddress at = new InetSocketAddress(fixture.address(3), READINESS_PORT);

    assertThat(RawHttp.exchange(at, "GET /healthz/ready HTTP/1.1", "Host: 10.0.0.1:15021"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("ready\n");
    assertThat(RawHttp.post(at, "/healthz/ready")).startsWith("HTTP/1.1 405 ");
    assertThat(RawHttp.get(at, "/config_dump")).startsWith("HTTP/1.1 404 ");
  }

  private InetSocketAddress admin() {
    return fixture.start("pay/api/api", builder -> builder.admin(0)).adminAddress().orElseThrow();
  }
}
