// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.heddle.Traffic.EchoServer;
import io.heddle.internal.proto.workload.NetworkMode;
import io.heddle.testing.Eventually;
import io.heddle.testing.PemTexts;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestIstioCa;
import io.heddle.testing.TestTokens;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A mesh that is started by nothing but a pod's environment, against a control plane in this JVM.
 */
class IstioStartTest {

  /** Of a start that must fail; the steps before have to fit in. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TestAuthority web = TestAuthority.root("web", Clock.systemUTC());
  private final TestIstioCa ca =
      new TestIstioCa(TestAuthority.root("mesh", Clock.systemUTC()), web);
  private final DiscoveryServer discovery = new DiscoveryServer(web);
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();
  private final String net = MeshFixture.freeNet();

  @TempDir private Path directory;
  private Path token;
  private EchoServer echo;

  @BeforeEach
  void prepare() throws Exception {
    token = directory.resolve("istio-token");
    Files.writeString(
        token,
        TestTokens.forAudience("istio-ca", Clock.systemUTC().instant().plus(Duration.ofHours(12))));
    Files.writeString(directory.resolve("root-cert.pem"), PemTexts.certificate(web.certificate()));
    echo = new EchoServer(InetAddress.getLoopbackAddress(), 0);
    discovery.pod("shop", "web", address(1));
    discovery.pod("pay", "api", address(3));
  }

  @AfterEach
  void close() throws Exception {
    while (!closers.isEmpty()) {
      closers.pop().close();
    }
    echo.close();
    discovery.close();
    ca.close();
  }

  @Test
  @DisplayName("two meshes started by their environments talk, each knowing who the other is")
  void talk() throws Exception {
    Mesh api = start("pay", "api");
    api.expose(8080, echo.port());
    Mesh client = start("shop", "web");

    assertThat(Traffic.exchange(client, net + 3, 8080, "hello")).isEqualTo("hello");
    assertThat(client.identity().current().svid().id())
        .hasToString("spiffe://mesh.test/ns/shop/sa/web");
    assertThat(client.health()).isEqualTo(new MeshHealth(MeshHealth.State.READY, List.of()));
  }

  @Test
  @DisplayName("the control plane is told who asks, and in which cluster")
  void node() {
    start("shop", "web");

    assertThat(discovery.nodes().get(0).getId())
        .isEqualTo("ztunnel~" + net + "1~web.shop~shop.svc.cluster.local");
    assertThat(discovery.nodes().get(0).getMetadata().getFieldsMap())
        .containsKeys("NAMESPACE", "CLUSTER_ID");
    assertThat(ca.asked()).hasSize(1);
  }

  @Test
  @DisplayName("a started mesh answers the kubelet's probe on the pod's address")
  void probe() throws Exception {
    start("shop", "web");

    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://" + net + "1:15021/healthz/ready"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("B071 nothing listens before the first policies: the start waits for them")
  void waitsForPolicies() {
    discovery.silentAbout(DiscoveryServer.AUTHORIZATION);
    CompletableFuture<Mesh> starting = CompletableFuture.supplyAsync(() -> start("shop", "web"));
    Eventually.holds("the certificate is asked for", () -> !ca.asked().isEmpty());
    Eventually.staysTrue("the mesh is starting", Duration.ofMillis(300), () -> !starting.isDone());

    discovery.speaksAbout(DiscoveryServer.AUTHORIZATION);

    assertThat(starting.join().hboneAddresses()).hasSize(1);
  }

  @Test
  @DisplayName("B071 policies that never come end the start with what was waited for")
  void policiesNeverCome() {
    discovery.silentAbout(DiscoveryServer.AUTHORIZATION);

    assertThatThrownBy(() -> impatient(variables("shop", "web")))
        .isInstanceOf(MeshException.class)
        .hasMessageContaining("has not delivered the mesh within " + PATIENCE)
        .hasMessageContaining("XDS_ADDRESS");
  }

  @Test
  @DisplayName("B071 a control plane that cannot be reached is named with the reason")
  void unreachable() {
    discovery.stop();

    assertThatThrownBy(() -> impatient(variables("shop", "web")))
        .isInstanceOf(MeshException.class)
        .hasMessageContaining(discovery.address().substring("https://".length()))
        .hasMessageContaining("UNAVAILABLE");
  }

  @Test
  @DisplayName("B074 the own workload may come late and after others")
  void ownWorkloadComesLate() throws Exception {
    CompletableFuture<Mesh> starting = CompletableFuture.supplyAsync(() -> start("shop", "late"));
    Eventually.holds("the mesh asks", () -> !discovery.nodes().isEmpty());
    for (int i = 0; i < 50; i++) {
      discovery.pod("other", "pod-" + i, InetAddress.getByName("192.0.2." + (i + 1)));
    }
    assertThat(starting).isNotDone();

    discovery.pod("shop", "late", address(2));

    assertThat(starting.join().hboneAddresses().get(0).getAddress()).isEqualTo(address(2));
  }

  @Test
  @DisplayName("B074 an own workload that never comes is an error that says so")
  void ownWorkloadNeverComes() {
    assertThatThrownBy(() -> impatient(variables("shop", "nobody")))
        .isInstanceOf(MeshException.InvalidConfiguration.class)
        .hasMessageContaining("own workload unknown")
        .hasMessageContaining("shop/nobody/nobody");
  }

  @Test
  @DisplayName("D28 a pod in the host's network is refused")
  void hostNetwork() {
    discovery.add(
        DiscoveryServer.podOf("shop", "node", address(2))
            .setNetworkMode(NetworkMode.HOST_NETWORK)
            .build());

    assertThatThrownBy(() -> impatient(variables("shop", "node")))
        .isInstanceOf(MeshException.InvalidConfiguration.class)
        .hasMessageContaining("host's network");
  }

  @Test
  @DisplayName("B009 a missing token ends the start with the file's name")
  void missingToken() throws Exception {
    Files.delete(token);

    assertThatThrownBy(() -> impatient(variables("shop", "web")))
        .isInstanceOf(MeshException.IdentityUnavailable.class)
        .hasMessageContaining(token.toString());
  }

  @Test
  @DisplayName("without a control plane a started mesh is degraded, says why, and goes on")
  void controlPlaneGoesAway() throws Exception {
    Mesh api = start("pay", "api");
    api.expose(8080, echo.port());
    Mesh client = start("shop", "web");

    discovery.stop();

    Eventually.holds(
        "the mesh is degraded", () -> client.health().state() == MeshHealth.State.DEGRADED);
    assertThat(client.health().reasons().get(0))
        .contains("control plane", discovery.address().substring(8));
    assertThat(Traffic.exchange(client, net + 3, 8080, "still here")).isEqualTo("still here");
    discovery.restart();
    Eventually.holds("the mesh is ready", () -> client.health().state() == MeshHealth.State.READY);
  }

  @Test
  @DisplayName("a certificate that is not renewed degrades a mesh, and its end makes it unready")
  void authorityGoesAway() {
    Map<String, String> variables = variables("shop", "web");
    variables.put("SECRET_TTL", "6s");
    Mesh mesh = started(Mesh.builder().fromEnvironment(variables));

    ca.fails(Status.UNAVAILABLE.withDescription("gone"));

    Eventually.holds(
        "the mesh is degraded", () -> mesh.health().state() == MeshHealth.State.DEGRADED);
    assertThat(mesh.health().reasons().toString()).contains("gone");
    Eventually.holds(
        "the mesh is unready", () -> mesh.health().state() == MeshHealth.State.UNREADY);
    ca.works();
    Eventually.holds("the mesh is ready", () -> mesh.health().state() == MeshHealth.State.READY);
  }

  @Test
  @DisplayName("a failed start leaves no port, and the next one succeeds")
  void startAgain() {
    discovery.silentAbout(DiscoveryServer.AUTHORIZATION);
    assertThatThrownBy(() -> impatient(variables("shop", "web"))).isInstanceOf(MeshException.class);
    discovery.speaksAbout(DiscoveryServer.AUTHORIZATION);

    assertThat(start("shop", "web").health().state()).isEqualTo(MeshHealth.State.READY);
  }

  @Test
  @DisplayName("a local file beside the environment's control plane is refused")
  void twoOrigins() {
    assertThatThrownBy(
            () ->
                Mesh.builder()
                    .fromEnvironment(variables("shop", "web"))
                    .localConfiguration("workloads: []")
                    .start())
        .isInstanceOf(MeshException.InvalidConfiguration.class)
        .hasMessageContaining("localFile");
  }

  private InetAddress address(int host) {
    try {
      return InetAddress.getByName(net + host);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private Mesh start(String namespace, String name) {
    return started(Mesh.builder().fromEnvironment(variables(namespace, name)));
  }

  private Mesh impatient(Map<String, String> variables) {
    return started(Mesh.builder().fromEnvironment(variables).startPatience(PATIENCE));
  }

  private Mesh started(MeshBuilder builder) {
    Mesh mesh = builder.eventLoops(2).drainPeriod(Duration.ofMillis(100)).start();
    closers.push(mesh);
    return mesh;
  }

  private Map<String, String> variables(String namespace, String name) {
    Map<String, String> variables = new HashMap<>();
    variables.put("POD_NAME", name);
    variables.put("POD_NAMESPACE", namespace);
    variables.put("SERVICE_ACCOUNT", name);
    variables.put("INSTANCE_IP", net + 1);
    variables.put("TRUST_DOMAIN", "mesh.test");
    variables.put("XDS_ADDRESS", discovery.address());
    variables.put("CA_ADDRESS", ca.address());
    variables.put("ALT_XDS_HOSTNAME", TestIstioCa.HOST);
    variables.put("ALT_CA_HOSTNAME", TestIstioCa.HOST);
    variables.put("XDS_ROOT_CA", directory.resolve("root-cert.pem").toString());
    variables.put("CA_ROOT_CA", directory.resolve("root-cert.pem").toString());
    variables.put("AUTH_TOKEN", token.toString());
    return variables;
  }
}
