// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.internal.h2.ClientConnector;
import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.HboneServer;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.Pattern;
import io.heddle.hbone.rig.Recorder;
import io.heddle.testing.Requires;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our client, and Envoy as a gateway or waypoint has it at the other end. */
@Tag("interop")
@Requires("envoy")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnvoyServerTest {
  private static final String APPLICATION = "10.0.0.5:8080";

  private EnvoyRig rig;
  private HboneClient client;
  private volatile Supplier<? extends ChannelHandler> application = Echo::new;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    rig = new EnvoyRig(directory);
    HboneServer workload = rig.server(request -> request.accept(null, new Echo()));
    rig.start(
        "envoy-hbone-server.yaml",
        Map.of(
            "application",
            Plain.port(rig.application(() -> application.get())),
            "workload",
            Await.get(workload.bind(EnvoyRig.anyPort())).getPort(),
            "nobody",
            rig.nobody()));
    client = rig.client(HboneSettings.defaults());
  }

  @AfterAll
  void stop() throws Exception {
    rig.close();
  }

  private Tunnel open(ChannelHandler handler) {
    return Await.get(client.open(rig.target("direct", APPLICATION), handler));
  }

  /** Makes the next connection of the application this one. */
  private Recorder nextApplication() {
    Recorder recorder = new Recorder();
    application = () -> recorder;
    return recorder;
  }

  private void assertEchoes(TunnelTarget target) {
    application = Echo::new;
    Recorder recorder = new Recorder();
    Tunnel tunnel = Await.get(client.open(target, recorder));
    tunnel.writeAndFlush(ByteBufUtil.writeUtf8(tunnel.alloc(), "hello"));
    Await.until("the echo", () -> recorder.text().equals("hello"));
    tunnel.shutdownOutput();
    Await.get(recorder.inactive);
    assertThat(recorder.events).containsExactly("active", "end", "inactive");
  }

  @Test
  @DisplayName("bytes go through Envoy and come back, and the tunnel ends in order")
  void echo() {
    assertEchoes(rig.target("direct", APPLICATION));
  }

  @Test
  @DisplayName("Envoy reads the headers of the CONNECT as they were meant")
  void headers() {
    TunnelHeaders headers =
        new TunnelHeaders(
            "k8s.namespace.name=shop,service.name=batch",
            "for=\"10.0.0.9:40000\";host=reviews.shop",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
            null);
    assertEchoes(rig.target("direct", APPLICATION, headers));
    assertThat(rig.envoy().awaitAccess(line -> line.contains("for=")))
        .isEqualTo(
            "CONNECT 10.0.0.5:8080 200 - baggage=k8s.namespace.name=shop,service.name=batch"
                + " forwarded=for=\"10.0.0.9:40000\";host=reviews.shop"
                + " traceparent=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00");
    assertThat(rig.envoy().stat("http2.rx_messaging_error")).isZero();
  }

  @ParameterizedTest(name = "Envoy''s {0} is told as {1}")
  @CsvSource({"401, DENIED", "503, UNAVAILABLE", "404, BAD_REQUEST"})
  void refusals(int status, TunnelException.Refused.Kind kind) {
    TunnelException.Refused refused =
        assertRefused(status, rig.target("direct", "10.0.0.5:" + status));
    assertThat(refused.kind()).isEqualTo(kind);
  }

  @Test
  @DisplayName("an Envoy with another identity than expected is rejected by us")
  void unexpectedPeer() {
    TunnelTarget good = rig.target("direct", APPLICATION);
    TunnelTarget target =
        new TunnelTarget(
            good.address(), List.of(EnvoyRig.WEB), null, good.authority(), good.headers());
    assertThat(Await.failure(client.open(target, new Recorder())))
        .isInstanceOf(TunnelException.PeerRejected.class)
        .hasMessageContaining(EnvoyRig.ENVOY.toString());
  }

  @Test
  @DisplayName("Envoy's alert on our foreign trust domain is a rejection, not a broken connection")
  void foreignTrustDomain() {
    HboneClient foreign =
        rig.client(
            rig.pki.source("spiffe://elsewhere.example/ns/shop/sa/batch"),
            HboneSettings.defaults());
    assertRejectsOurCertificate(foreign);
  }

  @ParameterizedTest(name = "Envoy''s alert on our authority, {0}, is a rejection")
  @CsvSource({
    "whose name it does not know, another.example",
    "whose name it knows with another key, cluster.local"
  })
  void unknownAuthority(String what, String nameOfRoot) {
    TestPki other = TestPki.create(nameOfRoot);
    SettableSource source =
        SettableSource.of(other.snapshot(other.svid(EnvoyRig.BATCH), rig.pki.bundles()));
    assertRejectsOurCertificate(rig.client(source, HboneSettings.defaults()));
  }

  private void assertRejectsOurCertificate(HboneClient rejected) {
    Future<Tunnel> opening = rejected.open(rig.target("direct", APPLICATION), new Recorder());
    assertThat(Await.failure(opening))
        .isInstanceOf(TunnelException.PeerRejected.class)
        .hasMessageContaining("does not accept our certificate");
  }

  @Test
  @DisplayName("a half-closed tunnel carries the answer through Envoy")
  void halfClose() {
    int mib = 1 << 20;
    Pattern first = Pattern.sending(mib, 32 << 10, new SplittableRandom(1));
    Pattern second = Pattern.answering(2 * mib);
    application = () -> second;

    open(first);

    for (Pattern end : List.of(first, second)) {
      Await.get(end.inactive);
      assertThat(end.firstWrong).isEqualTo(-1);
      assertThat(end.events).containsExactly("active", "end", "inactive");
    }
    assertThat(first.count).hasValue(2 * mib);
    assertThat(second.count).hasValue(mib);
  }

  @Test
  @DisplayName("Envoy drops what follows an application's end: told when bytes wait, else an end")
  void applicationEndsFirst() {
    application = () -> Checksum.sending(0);
    Recorder silent = new Recorder();
    open(silent);
    Checksum sender = Checksum.sending(1L << 30);
    open(sender);

    Await.get(silent.inactive);
    assertThat(silent.events).containsExactly("active", "end", "inactive");
    assertThat(sender.sent)
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            TunnelException.Reset.class, reset -> assertThat(reset.code()).isZero());
  }

  @Test
  @DisplayName("a reset by the application arrives as a reset, after the bytes before it")
  void applicationResets() {
    Recorder server = nextApplication();
    Recorder recorder = new Recorder();
    open(recorder);
    Channel accepted = Await.get(server.active);
    accepted.writeAndFlush(ByteBufUtil.writeUtf8(accepted.alloc(), "part"));
    Await.until("part", () -> recorder.text().equals("part"));

    Plain.abort(accepted);

    assertThat(Await.get(recorder.error)).isInstanceOf(TunnelException.Reset.class);
    Await.get(recorder.inactive);
    assertThat(recorder.events).containsExactly("active", "error", "inactive");
  }

  @Test
  @DisplayName(
      "our reset is an end at the application, as Envoy has it, and touches no other tunnel")
  void weReset() {
    Recorder bystander = new Recorder();
    application = Echo::new;
    Tunnel other = open(bystander);
    Recorder server = nextApplication();
    Tunnel tunnel = open(new Recorder());
    Await.get(server.active);

    tunnel.reset();

    Await.get(server.ended);
    assertThat(server.error).isNotDone();
    other.writeAndFlush(ByteBufUtil.writeUtf8(other.alloc(), "still here"));
    Await.until("the echo", () -> bystander.text().equals("still here"));
    other.close();
  }

  @ParameterizedTest(name = "IT-07 a waypoint serves {0}")
  @ValueSource(strings = {"10.96.0.10:80", "10.0.0.5:8080"})
  void waypointServes(String authority) {
    assertEchoes(rig.target("waypoint", authority));
  }

  @ParameterizedTest(name = "IT-07 a waypoint serves no {0}")
  @CsvSource({
    "host name without multi-network, reviews.shop.svc.cluster.local:80",
    "undeclared port, 10.96.0.10:81",
    "foreign VIP, 10.96.0.99:80",
    "admin port, 10.0.0.5:15000"
  })
  void waypointRefuses(String what, String authority) {
    assertRefused(503, rig.target("waypoint", authority));
  }

  @Test
  @DisplayName("IT-08 an east-west gateway leads a global service's name to its workload, unread")
  void gatewayServes() {
    String authority = "reviews.shop.svc.cluster.local:9080";
    Tunnel outer =
        Await.get(
            client.open(rig.target("gateway", authority), new ChannelInboundHandlerAdapter()));
    ClientConnector connector =
        new ClientConnector(
            rig.tls(rig.pki.source(EnvoyRig.BATCH.toString())),
            HboneSettings.defaults(),
            Clock.systemUTC());
    TunnelTarget workload =
        new TunnelTarget(
            rig.envoy().listener("gateway"),
            List.of(EnvoyRig.WEB),
            null,
            Authority.parse(authority),
            TunnelHeaders.NONE);
    ClientConnection inner =
        Await.get(
            Await.get(outer.eventLoop().submit(() -> connector.connectOver(outer, workload))));
    Pattern pattern = Pattern.sending(8 << 20, 64 << 10, new SplittableRandom(8));

    Tunnel tunnel =
        Await.get(
            Await.get(
                inner
                    .eventLoop()
                    .submit(() -> inner.open(workload.authority(), workload.headers(), pattern))));

    assertThat(tunnel.peer().id()).isEqualTo(EnvoyRig.WEB);
    assertThat(outer.peer().id()).isEqualTo(EnvoyRig.ENVOY);
    Await.get(pattern.inactive);
    assertThat(pattern.firstWrong).isEqualTo(-1);
    assertThat(pattern.count).hasValue(8 << 20);
    inner.eventLoop().execute(inner::closeWhenIdle);
    Await.get(outer.closeFuture());
  }

  @Test
  @DisplayName("IT-08 an east-west gateway refuses the name of a service that is not global")
  void gatewayRefuses() {
    assertRefused(404, rig.target("gateway", "ratings.shop.svc.cluster.local:9080"));
  }

  private TunnelException.Refused assertRefused(int status, TunnelTarget target) {
    Throwable failure = Await.failure(client.open(target, new Recorder()));
    assertThat(failure).isInstanceOf(TunnelException.Refused.class);
    TunnelException.Refused refused = (TunnelException.Refused) failure;
    assertThat(refused.status()).isEqualTo(status);
    return refused;
  }
}
