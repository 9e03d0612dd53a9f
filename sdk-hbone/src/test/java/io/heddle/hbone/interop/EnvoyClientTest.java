// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.HboneServer;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.Output;
import io.heddle.hbone.rig.Pattern;
import io.heddle.hbone.rig.Recorder;
import io.heddle.testing.Requires;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Envoy's tunnels, as a sidecar, a gateway or a waypoint opens them, to our server. */
@Tag("interop")
@Requires("envoy")
class EnvoyClientTest {
  private static final int PATIENCE_SECONDS = 110;

  private EnvoyRig rig;
  private HboneServer server;
  private volatile TunnelAcceptor acceptor = request -> request.accept(null, new Echo());

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    rig = new EnvoyRig(directory);
    server = rig.server(request -> acceptor.onConnect(request));
    int port = Await.get(server.bind(EnvoyRig.anyPortEverywhere())).getPort();
    rig.start("envoy-hbone-client.yaml", Map.of("server", port));
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private void accept(ChannelHandler handler) {
    acceptor = request -> request.accept(null, handler);
  }

  private void assertEchoes(String listener) {
    Recorder client = new Recorder();
    Channel channel = rig.dial(listener, client);
    channel.writeAndFlush(ByteBufUtil.writeUtf8(channel.alloc(), "hello"));
    Await.until("the echo", () -> client.text().equals("hello"));
    Output.end(channel);
    Await.get(client.inactive);
    assertThat(client.events).containsExactly("active", "end", "inactive");
  }

  @ParameterizedTest(name = "Envoy''s CONNECT ({0}) brings identity, authority and headers")
  @CsvSource({
    "tunnel, 10.0.0.5:8080, 'k8s.namespace.name=shop,service.name=batch'",
    "sidecar, 127.0.0.5:8080,"
  })
  void connect(String listener, String authority, String baggage) {
    AtomicReference<TunnelRequest> seen = new AtomicReference<>();
    acceptor =
        request -> {
          seen.set(request);
          request.accept(null, new Echo());
        };

    assertEchoes(listener);

    TunnelRequest request = seen.get();
    assertThat(request.peer().id()).isEqualTo(EnvoyRig.ENVOY);
    assertThat(request.authority()).hasToString(authority);
    assertThat(request.headers().baggage()).isEqualTo(baggage);
  }

  @ParameterizedTest(name = "our {0} ends the connection in front of Envoy, with no byte")
  @ValueSource(ints = {400, 401, 503})
  void refusals(int status) {
    acceptor = request -> request.refuse(status);
    Recorder client = new Recorder();

    rig.dial("tunnel", client);

    Await.get(client.ended);
    assertThat(client.count).hasValue(0);
    assertThat(rig.envoy().awaitAccess(line -> line.startsWith("hbone "))).contains("UF");
  }

  @Test
  @DisplayName("an Envoy that expects somebody else takes no tunnel to us")
  void unexpectedPeer() {
    assertNothingPasses("stranger");
    assertThat(rig.envoy().stat("cluster.hbone_stranger.ssl.fail_verify_san")).isPositive();
  }

  @Test
  @DisplayName("an Envoy of another trust domain is refused by us")
  void foreignTrustDomain() {
    assertNothingPasses("foreign");
  }

  private void assertNothingPasses(String listener) {
    AtomicReference<TunnelRequest> seen = new AtomicReference<>();
    acceptor = seen::set;
    Recorder client = new Recorder();
    rig.dial(listener, client);
    Await.get(client.ended);
    assertThat(client.count).hasValue(0);
    assertThat(seen).hasValue(null);
  }

  @ParameterizedTest(name = "half-close through Envoy, the client ends first: {0}")
  @ValueSource(booleans = {true, false})
  void halfClose(boolean clientEndsFirst) {
    int mib = 1 << 20;
    Pattern first = Pattern.sending(mib, 32 << 10, new SplittableRandom(1));
    Pattern second = Pattern.answering(2 * mib);
    accept(clientEndsFirst ? second : first);

    rig.dial("tunnel", clientEndsFirst ? first : second);

    for (Pattern end : List.of(first, second)) {
      Await.get(end.inactive);
      assertThat(end.firstWrong).isEqualTo(-1);
      assertThat(end.events).containsExactly("active", "end", "inactive");
    }
    assertThat(first.count).hasValue(2 * mib);
    assertThat(second.count).hasValue(mib);
  }

  @Test
  @DisplayName("a reset in front of Envoy arrives as a reset, after the bytes before it")
  void clientResets() {
    Recorder application = new Recorder();
    accept(application);
    Channel client = rig.dial("tunnel", new Recorder());
    client.writeAndFlush(ByteBufUtil.writeUtf8(client.alloc(), "part"));
    Await.until("part", () -> application.text().equals("part"));

    Plain.abort(client);

    assertThat(Await.get(application.error)).isInstanceOf(TunnelException.Reset.class);
    Await.get(application.inactive);
    assertThat(application.events).containsExactly("active", "error", "inactive");
  }

  @Test
  @DisplayName("our reset is an end in front of Envoy, as Envoy has it")
  void weReset() {
    Recorder application = new Recorder();
    accept(application);
    Recorder client = new Recorder();
    rig.dial("tunnel", client);
    Tunnel tunnel = (Tunnel) Await.get(application.active);
    tunnel.writeAndFlush(ByteBufUtil.writeUtf8(tunnel.alloc(), "part"));
    Await.until("part", () -> client.text().equals("part"));

    tunnel.reset();

    Await.get(client.ended);
    assertThat(client.error).isNotDone();
  }

  @ParameterizedTest(name = "1 GiB {0} through Envoy, by its SHA-256")
  @CsvSource({"to the application, 1073741824, 0", "from the application, 0, 1073741824"})
  void bulk(String what, long up, long down) throws Exception {
    Checksum client = Checksum.sending(up);
    Checksum application = Checksum.answering(down);
    accept(application);

    rig.dial("tunnel", client);

    assertThat(application.received.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo(client.sent.get());
    assertThat(client.received.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo(application.sent.get());
  }

  @Test
  @DisplayName("10000 short connections through Envoy all succeed, and leave no descriptor behind")
  void shortConnections() throws Exception {
    InetSocketAddress listener = rig.envoy().listener("tunnel");
    ManyTalks.run(
        10_000,
        rig.envoy(),
        talk ->
            rig.dial(listener, talk)
                .addListener(
                    dialled -> {
                      if (!dialled.isSuccess()) {
                        talk.heard.completeExceptionally(dialled.cause());
                      }
                    }));
    assertThat(server.connections()).isLessThanOrEqualTo(2);
    assertThat(rig.envoy().stat("cluster.hbone.upstream_rq_rx_reset")).isZero();
    assertThat(rig.envoy().stat("cluster.hbone.http2.rx_messaging_error")).isZero();
  }

  @Test
  @DisplayName("our drain: Envoy's live tunnels go on after both GOAWAYs, and end in order")
  void drain() {
    Recorder client = new Recorder();
    Channel channel = rig.dial("tunnel", client);
    channel.writeAndFlush(ByteBufUtil.writeUtf8(channel.alloc(), "before,"));
    Await.until("the echo", () -> client.text().equals("before,"));

    Future<Void> drained = server.drain(Duration.ofSeconds(30));
    Await.until(
        "Envoy to have read GOAWAY",
        () -> rig.envoy().stat("cluster.hbone.upstream_cx_close_notify") > 0);
    channel.writeAndFlush(ByteBufUtil.writeUtf8(channel.alloc(), "after"));
    Await.until("the echo", () -> client.text().equals("before,after"));
    assertThat(drained.isDone()).isFalse();

    Output.end(channel);
    Await.get(client.inactive);
    Await.get(drained);
    assertThat(client.events).containsExactly("active", "end", "inactive");
  }
}
