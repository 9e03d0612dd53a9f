// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.netty.ClientFixture.GOOD;
import static io.heddle.hbone.netty.ClientFixture.target;
import static io.heddle.hbone.rig.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.frames.FramePeer;
import io.heddle.hbone.frames.PeerTls;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.io.File;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** That nothing stays behind: map entries, timers, descriptors, connections. */
class PoolResourcesTest {

  private static final File DESCRIPTORS = new File("/proc/self/fd");

  private final ClientFixture fixture = new ClientFixture();

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  @Test
  @DisplayName(
      "B057 500 destinations, contacted once: after the idle time no entry, no timer is left")
  void contactedOnce() throws Exception {
    HboneClient client = fixture.client(s -> s.idleTimeout(Duration.ofMillis(100)));
    int port = fixture.server().getPort();

    int opened = openAndClose(client, 500, n -> target(address(n, port), null), 32);

    assertThat(opened).isEqualTo(500);
    assertNothingIsLeft(client);
  }

  @Test
  @DisplayName("B057 50000 destinations that refuse the dial: no entry, no timer is left")
  void refusedDials() throws Exception {
    int port;
    try (FramePeer gone = FramePeer.everywhere(ClientFixture.PEER_TLS, GOOD)) {
      port = gone.address().getPort();
    }
    HboneClient client = fixture.client(s -> s);

    int opened = openAndClose(client, 50_000, n -> target(address(n, port), null), 64);

    assertThat(opened).isZero();
    assertThat(client.statistics().connectsFailed()).isEqualTo(50_000);
    assertNothingIsLeft(client);
  }

  @Test
  @DisplayName("B063 descriptors return to where they were after lost peers and failed handshakes")
  void descriptorsReturn() throws Exception {
    Assumptions.assumeTrue(DESCRIPTORS.isDirectory(), "no /proc/self/fd on this system");
    HboneClient client = fixture.client(s -> s);
    TunnelEnd warmUp = TunnelEnd.open(client, target(fixture.peer(GOOD)));
    warmUp.finish();
    int before = descriptors();

    try (FramePeer lost = FramePeer.everywhere(ClientFixture.PEER_TLS, GOOD);
        FramePeer stranger =
            FramePeer.refusing(PeerTls.of(ClientFixture.PKI, ClientFixture.BATCH))) {
      List<TunnelEnd> ends = new ArrayList<>();
      for (int n = 0; n < 100; n++) {
        ends.add(TunnelEnd.open(client, target(address(n, lost.address().getPort()), null)));
      }
      for (TunnelEnd end : ends) {
        end.tunnel();
      }
      for (int n = 0; n < 50; n++) {
        ends.add(TunnelEnd.open(client, target(stranger, "127.0.9." + (n + 1))));
      }
      for (TunnelEnd end : ends.subList(100, 150)) {
        end.failure();
      }
      for (FrameConnection connection : lost.connections()) {
        connection.vanish();
      }
      until("only the first peer is left", () -> client.statistics().targets() == 1);
      assertThat(ends.subList(0, 100)).allSatisfy(e -> until("closed", e::isClosed));
    }

    until("descriptors return", () -> descriptors() <= before + 5);
  }

  @Test
  @DisplayName("B064 10000 short tunnels to one destination take one or a few TLS connections")
  void shortTunnels() throws Exception {
    int port = fixture.server().getPort();
    TunnelTarget target = target(address(0, port), null);
    HboneClient client = fixture.client(s -> s);

    int opened = openAndClose(client, 10_000, n -> target, 64);

    assertThat(opened).isEqualTo(10_000);
    assertThat(client.statistics().connected()).isLessThanOrEqualTo(2);
    until("no tunnel is left", () -> client.statistics().tunnels() == 0);
  }

  /** So many tunnels, some at a time: each sends 100 bytes and ends. Tells how many opened. */
  private static int openAndClose(
      HboneClient client, int times, IntFunction<TunnelTarget> targets, int atOnce)
      throws Exception {
    Semaphore free = new Semaphore(atOnce);
    AtomicInteger opened = new AtomicInteger();
    for (int n = 0; n < times; n++) {
      assertThat(free.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      client
          .open(targets.apply(n), new ShortTalk())
          .addListener(
              (Future<Tunnel> opening) -> {
                if (opening.isSuccess()) {
                  opened.incrementAndGet();
                  opening.getNow().closeFuture().addListener(closed -> free.release());
                } else {
                  free.release();
                }
              });
    }
    assertThat(free.tryAcquire(atOnce, 30, TimeUnit.SECONDS)).isTrue();
    return opened.get();
  }

  private static final class ShortTalk extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.writeAndFlush(Unpooled.wrappedBuffer(new byte[100]))
          .addListener((ChannelFutureListener) sent -> ((Tunnel) sent.channel()).shutdownOutput());
    }
  }

  private void assertNothingIsLeft(HboneClient client) throws Exception {
    until("no target is left", () -> client.statistics().targets() == 0);
    PoolStatistics now = client.statistics();
    assertThat(List.of(now.connections(), now.connecting(), now.waiting(), now.tunnels()))
        .containsOnly(0);
    until("no timer is left", () -> ScheduledTasks.of(fixture.loops) == 0);
  }

  private static InetSocketAddress address(int n, int port) {
    return new InetSocketAddress("127.7." + n / 250 + "." + (n % 250 + 1), port);
  }

  private static int descriptors() {
    return DESCRIPTORS.list().length;
  }
}
