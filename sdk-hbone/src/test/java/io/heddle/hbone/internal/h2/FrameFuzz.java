// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Plays one input against one connection in memory: frames of the peer, in one piece or several,
 * actions of the application, and time. Afterwards everything must have an end.
 */
abstract class FrameFuzz {
  static final PeerSvid PEER =
      new PeerSvid(SpiffeId.parse("spiffe://td/ns/shop/sa/web"), List.of(), Instant.MAX);

  static final HboneSettings SETTINGS =
      HboneSettings.defaults().toBuilder()
          .streamWindowBytes(100_000)
          .connectionWindowBytes(200_000)
          .maxFrameBytes(16_384)
          .maxHeaderListBytes(8_192)
          .maxStreamsServed(3)
          .maxStreamsPerConnection(3)
          .build();

  private static final int MOST_STEPS = 400;
  private static final byte[] NOTHING = {};

  final Choices choices;
  final FrameWatch watch;
  final PeerFrames peer;
  final ReceiveBudget budget = new ReceiveBudget(1 << 20);
  final EmbeddedChannel wire;
  final List<Tunnel> tunnels = new ArrayList<>();
  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false, true);
  private byte[] heldBack = NOTHING;

  FrameFuzz(byte[] input, boolean server) {
    choices = new Choices(input);
    watch = new FrameWatch(!server);
    peer = new PeerFrames(choices, server, watch);
    wire = new EmbeddedChannel(new Sent(watch));
    wire.config().setAllocator(memory);
    wire.freezeTime();
  }

  abstract TunnelConnection connection();

  /** What only this role can be asked to do. */
  abstract void act(int action);

  /** What the role must have told its users by the end. */
  abstract void assertEverybodyKnows();

  final void play() {
    wire.pipeline().addLast(connection().records(), connection());
    peer.preface();
    deliver(peer.take());
    for (int step = 0; step < MOST_STEPS && !choices.areOver() && wire.isOpen(); step++) {
      step();
      collect();
    }
    deliver(heldBack);
    end();
  }

  private void step() {
    int choice = choices.oneByte();
    switch (choice & 0x1f) {
      case 0, 1, 2 -> peer.headers();
      case 3 -> peer.anyHeaderBlock();
      case 4, 5, 6 -> peer.data();
      case 7 -> peer.reset();
      case 8 -> peer.settings();
      case 9 -> peer.settingsAck();
      case 10 -> peer.ping(choices.oneOf(0L, 0x6b656570616c6976L, 0x647261696e696e67L));
      case 11 -> peer.goAway();
      case 12, 13 -> peer.windowUpdate();
      case 14 -> peer.anyFrame();
      case 15 -> peer.garbage();
      case 16 -> wire.advanceTimeBy(choices.oneOf(1, 500, 10_000, 20_000), TimeUnit.MILLISECONDS);
      case 17, 18, 19, 20, 21, 22 -> actOnTunnel();
      default -> act(choice & 0x7);
    }
    byte[] bytes = concat(heldBack, peer.take());
    heldBack = NOTHING;
    switch (choice >> 5) {
      case 0, 1, 2, 3 -> deliver(bytes);
      case 4, 5 -> heldBack = bytes;
      default -> {
        int middle = bytes.length == 0 ? 0 : choices.oneByte() % bytes.length;
        deliver(Arrays.copyOf(bytes, middle));
        deliver(Arrays.copyOfRange(bytes, middle, bytes.length));
      }
    }
  }

  private void actOnTunnel() {
    if (!tunnels.isEmpty()) {
      FuzzedTunnel.act(tunnels.get(choices.below(tunnels.size())), choices.below(8));
    }
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private void deliver(byte[] bytes) {
    if (bytes.length > 0 && wire.isOpen()) {
      wire.writeInbound(memory.buffer(bytes.length).writeBytes(bytes));
    }
  }

  private void collect() {
    wire.runPendingTasks();
    watch.read();
  }

  private void end() {
    collect();
    wire.close();
    collect();
    wire.advanceTimeBy(60, TimeUnit.SECONDS);
    wire.runScheduledPendingTasks();
    collect();
    watch.over();

    // What has arrived stays readable; who reads on comes to the end.
    for (int i = 0; i < MOST_STEPS && tunnels.stream().anyMatch(Tunnel::isOpen); i++) {
      tunnels.forEach(tunnel -> tunnel.config().setAutoRead(true));
      collect();
    }

    assertThat(watch.breaches()).as("after %s", watch.frames()).isEmpty();
    wire.checkException();
    assertOrderlyReason(connection().end().lost().getCause());
    assertThat(tunnels).noneMatch(Tunnel::isOpen);
    assertThat(connection().connection().numActiveStreams()).as("streams").isZero();
    assertEverybodyKnows();
    assertThat(budget.reserved()).as("reserved windows").isZero();
    assertThat(memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory())
        .as("bytes of buffers")
        .isZero();
    assertThat(wire.runScheduledPendingTasks()).as("the next timer").isEqualTo(-1);
  }

  /** Whatever a peer sends, it is the peer's error or the network's, never one of ours. */
  private static void assertOrderlyReason(Throwable reason) {
    if (reason instanceof Http2Exception broken) {
      assertThat(broken.error()).isNotEqualTo(Http2Error.INTERNAL_ERROR);
    } else if (reason != null) {
      assertThat(reason).isInstanceOf(IOException.class);
    }
  }

  final FuzzedTunnel application() {
    return new FuzzedTunnel(choices, watch.breaches());
  }
}
