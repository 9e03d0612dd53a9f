// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.HboneClient;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.Output;
import io.heddle.hbone.rig.Recorder;
import io.heddle.testing.Eventually;
import io.heddle.testing.Requires;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandler;
import io.netty.util.concurrent.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our client to an Envoy of its own: volume, numbers, limits, and an Envoy that goes or hangs. */
@Tag("interop")
@Requires("envoy")
class EnvoyServerLoadTest {
  private static final String APPLICATION = "10.0.0.5:8080";

  private static final int PATIENCE_SECONDS = 110;

  private EnvoyRig rig;
  private volatile Supplier<? extends ChannelHandler> application = Echo::new;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    rig = new EnvoyRig(directory);
    int nobody = rig.nobody();
    rig.start(
        "envoy-hbone-server.yaml",
        Map.of(
            "application",
            Plain.port(rig.application(() -> application.get())),
            "workload",
            nobody,
            "nobody",
            nobody));
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private TunnelTarget target() {
    return rig.target("direct", APPLICATION);
  }

  @ParameterizedTest(name = "1 GiB {0} through Envoy, by its SHA-256")
  @CsvSource({"to the application, 1073741824, 0", "from the application, 0, 1073741824"})
  void bulk(String what, long up, long down) throws Exception {
    Checksum client = Checksum.sending(up);
    // Not before the client: Envoy drops a request whose answer has ended.
    Checksum server = Checksum.answering(down);
    application = () -> server;

    rig.client(HboneSettings.defaults()).open(target(), client);

    assertThat(server.received.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo(client.sent.get());
    assertThat(client.received.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo(server.sent.get());
  }

  @Test
  @DisplayName("10000 short tunnels through Envoy all succeed, and leave no descriptor behind")
  void shortTunnels() throws Exception {
    HboneClient client = rig.client(HboneSettings.defaults());
    TunnelTarget target = target();
    ManyTalks.run(
        10_000,
        rig.envoy(),
        talk ->
            client
                .open(target, talk)
                .addListener(
                    opening -> {
                      if (!opening.isSuccess()) {
                        talk.heard.completeExceptionally(opening.cause());
                      }
                    }));
    assertThat(client.statistics().connected()).isLessThanOrEqualTo(2);
    assertThat(client.statistics().opensRetried()).isZero();
  }

  @Test
  @DisplayName("Envoy's limit of 100 streams is kept, where ours would be 1000")
  void streamLimit() {
    HboneClient client =
        rig.client(HboneSettings.defaults().toBuilder().maxStreamsPerConnection(1000).build());
    TunnelTarget target = target();
    List<Future<Tunnel>> opening = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      opening.add(client.open(target, new Recorder()));
    }
    opening.forEach(Await::get);
    assertThat(client.statistics().connections()).isEqualTo(3);
    assertThat(rig.envoy().stat("http.direct.downstream_cx_http2_active")).isEqualTo(3);
    assertThat(rig.envoy().stat("http.direct.downstream_rq_active")).isEqualTo(250);
    assertThat(client.statistics().opensRetried()).isZero();
  }

  @Test
  @DisplayName("each side answers the other's PINGs while the tunnel is silent")
  void keepalive() {
    HboneClient client =
        rig.client(
            HboneSettings.defaults().toBuilder()
                .pingInterval(Duration.ofMillis(100))
                .pingTimeout(Duration.ofSeconds(1))
                .build());
    Recorder recorder = new Recorder();
    Tunnel tunnel = Await.get(client.open(target(), recorder));

    // Twice our patience, and several times Envoy's interval.
    Eventually.staysTrue("the tunnel is open", Duration.ofSeconds(2), tunnel::isActive);

    assertThat(rig.envoy().stat("http2.keepalive_timeout")).isZero();
    tunnel.writeAndFlush(ByteBufUtil.writeUtf8(tunnel.alloc(), "awake"));
    Await.until("the echo", () -> recorder.text().equals("awake"));
  }

  @Test
  @DisplayName("an Envoy that hangs is found out by its silence")
  void frozen() throws Exception {
    HboneClient client =
        rig.client(
            HboneSettings.defaults().toBuilder()
                .pingInterval(Duration.ofMillis(200))
                .pingTimeout(Duration.ofSeconds(2))
                .build());
    Recorder recorder = new Recorder();
    Await.get(client.open(target(), recorder));
    rig.envoy().freeze();
    try {
      assertThat(Await.get(recorder.error))
          .isInstanceOf(TunnelException.ConnectionLost.class)
          .hasMessageContaining("PING");
    } finally {
      rig.envoy().thaw();
    }
  }

  @Test
  @DisplayName("Envoy's drain: GOAWAY moves new tunnels to other connections, live ones go on")
  void drain() {
    HboneClient client = rig.client(HboneSettings.defaults());
    TunnelTarget target = target();
    Recorder recorder = new Recorder();
    Tunnel tunnel = Await.get(client.open(target, recorder));

    rig.envoy().drainListeners();
    // Envoy says GOAWAY with its next answer.
    Await.get(client.open(target, new Recorder()));
    Await.until("GOAWAY", () -> client.statistics().leavingConnections() == 1);
    Await.get(client.open(target, new Recorder()));
    assertThat(client.statistics().connected()).isEqualTo(2);

    tunnel.writeAndFlush(ByteBufUtil.writeUtf8(tunnel.alloc(), "still here"));
    Await.until("the echo", () -> recorder.text().equals("still here"));
    Output.end(tunnel);
    Await.get(recorder.inactive);
    assertThat(recorder.events).containsExactly("active", "end", "inactive");
  }
}
