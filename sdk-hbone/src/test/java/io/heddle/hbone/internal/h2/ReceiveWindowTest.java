// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.HboneSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A window over Netty's flow controller, a peer that uses all its credit, and a clock by hand. */
class ReceiveWindowTest {
  private static final int INITIAL = 64 << 10;
  private static final int LARGEST = 4 << 20;
  private static final int BUDGET = 32 << 20;

  private final MockTicker ticker = Ticker.newMockTicker();
  private final ReceiveBudget budget = new ReceiveBudget(BUDGET);
  private final RoundTrip roundTrip = new RoundTrip();
  private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
  private final Http2Connection connection;
  private final Http2LocalFlowController flow;
  private final ReceiveWindows windows;

  ReceiveWindowTest() throws Http2Exception {
    HboneSettings settings = HboneSettings.defaults();
    Http2Codec codec = Http2Codec.server(settings);
    connection = codec.decoder().connection();
    flow = connection.local().flowController();
    flow.channelHandlerContext(channel.pipeline().firstContext());
    flow.frameWriter(new DefaultHttp2FrameWriter());
    flow.initialWindowSize(INITIAL);
    flow.incrementWindowSize(connection.connectionStream(), 16 << 20);
    windows = new ReceiveWindows(flow, budget, roundTrip, ticker, settings);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  /** One stream; the peer sends as soon as it may. */
  private final class Peer {
    private final Http2Stream stream;
    private final ReceiveWindow window;

    Peer(int streamId) throws Http2Exception {
      stream = connection.remote().createStream(streamId, false);
      window = windows.of(stream);
    }

    int size() {
      return flow.initialWindowSize(stream);
    }

    /** What the peer may still send. */
    int credit() {
      return flow.windowSize(stream);
    }

    int unread() {
      return flow.unconsumedBytes(stream);
    }

    /** A round trip in which everything is read as it comes. */
    void burst() throws Http2Exception {
      for (int left = credit(); left > 0; ) {
        int bytes = Math.min(left, 16 << 10);
        arrive(bytes);
        window.received(bytes, bytes);
        flow.consumeBytes(stream, bytes);
        left -= bytes;
      }
    }

    /** A round trip in which nothing is read. */
    void stall() throws Http2Exception {
      int bytes = credit();
      arrive(bytes);
      window.received(bytes, 0);
    }

    void read(int bytes) throws Http2Exception {
      window.drained(bytes);
      flow.consumeBytes(stream, bytes);
    }

    private void arrive(int bytes) throws Http2Exception {
      ByteBuf data = Unpooled.wrappedBuffer(new byte[bytes]);
      flow.receiveFlowControlledFrame(stream, data, 0, false);
      data.release();
    }

    Peer grown() throws Http2Exception {
      for (int i = 0; i < 12; i++) {
        burst();
        advance(1);
      }
      assertThat(size()).isEqualTo(LARGEST);
      return this;
    }
  }

  private void advance(long millis) {
    ticker.advance(millis, TimeUnit.MILLISECONDS);
  }

  @Test
  @DisplayName("a window starts small and doubles each round trip while its reader keeps up")
  void grows() throws Exception {
    Peer peer = new Peer(1);
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      sizes.add(peer.size());
      peer.burst();
      advance(1);
    }
    assertThat(sizes)
        .containsExactly(
            INITIAL,
            2 * INITIAL,
            4 * INITIAL,
            8 * INITIAL,
            16 * INITIAL,
            32 * INITIAL,
            LARGEST,
            LARGEST);
    assertThat(peer.credit()).isEqualTo(LARGEST);
    assertThat(budget.reserved()).isEqualTo(LARGEST - INITIAL);
  }

  @Test
  @DisplayName("a reader that takes many round trips for a window does not get a larger one")
  void slowReaderStaysSmall() throws Exception {
    Peer peer = new Peer(1);
    for (int i = 0; i < 100; i++) {
      peer.stall();
      advance(20);
      peer.read(4 << 10);
    }
    assertThat(peer.size()).isEqualTo(INITIAL);
    assertThat(budget.reserved()).isZero();
  }

  @Test
  @DisplayName("over a long way a window grows although a round trip takes its time")
  void longRoundTrip() throws Exception {
    roundTrip.sent(ticker.nanoTime());
    advance(200);
    roundTrip.answered(ticker.nanoTime());
    Peer peer = new Peer(1);
    for (int i = 0; i < 6; i++) {
      peer.burst();
      advance(200);
    }
    assertThat(peer.size()).isEqualTo(LARGEST);
  }

  @Test
  @DisplayName("a reader that slows down earns no credit until the window is small again")
  void shrinks() throws Exception {
    Peer peer = new Peer(1).grown();
    peer.stall();
    int unread = peer.unread();
    while (peer.credit() == 0) {
      advance(20);
      peer.read(16 << 10);
    }
    assertThat(peer.size()).isEqualTo(INITIAL);
    assertThat(peer.credit()).isLessThanOrEqualTo(INITIAL);
    assertThat(unread - peer.unread()).isGreaterThan(unread - INITIAL);
  }

  @Test
  @DisplayName("a reader that goes on after a stall has half the window, and soon all of it again")
  void recovers() throws Exception {
    Peer peer = new Peer(1).grown();
    peer.stall();
    advance(1_000);
    peer.read(LARGEST / 4);
    assertThat(peer.size()).isEqualTo(LARGEST / 2);
    peer.read(peer.unread());
    peer.grown();
  }

  @Test
  @DisplayName("a reader that stays slow ends with the initial window and owes the budget nothing")
  void shrinksToInitial() throws Exception {
    Peer peer = new Peer(1).grown();
    for (int i = 0; i < 2_000; i++) {
      peer.stall();
      advance(100);
      peer.read(16 << 10);
    }
    assertThat(peer.size()).isEqualTo(INITIAL);
    assertThat(peer.unread() + peer.credit()).isLessThanOrEqualTo(INITIAL);
    assertThat(budget.reserved()).isZero();
  }

  @Test
  @DisplayName("while nobody reads, the budget knows of the credit that the peer has")
  void stallKeepsReservation() throws Exception {
    Peer peer = new Peer(1).grown();
    peer.stall();
    advance(1_000);
    peer.read(LARGEST / 4);
    assertThat(peer.size()).isEqualTo(LARGEST / 2);
    assertThat(budget.reserved()).isGreaterThanOrEqualTo(peer.unread() - INITIAL);
  }

  @Test
  @DisplayName("many fast readers share the budget, exceed it never and leave room for one more")
  void sharesBudget() throws Exception {
    Peer first = new Peer(1).grown();
    List<Peer> peers = new ArrayList<>(List.of(first));
    for (int i = 1; i < 100; i++) {
      peers.add(new Peer(2 * i + 1));
    }
    for (int round = 0; round < 100; round++) {
      for (Peer peer : peers) {
        peer.burst();
        assertThat(budget.reserved()).isLessThan(BUDGET);
      }
      advance(1);
    }
    assertThat(first.size()).isLessThanOrEqualTo(BUDGET / 32);

    Peer late = new Peer(201);
    for (int i = 0; i < 4; i++) {
      late.burst();
    }
    assertThat(late.size()).isGreaterThan(INITIAL);
  }

  @Test
  @DisplayName("bytes that outlive their stream are in the budget until they are read")
  void unreadAfterClose() throws Exception {
    Peer peer = new Peer(1).grown();
    peer.stall();
    peer.window.streamClosed();
    peer.stream.close();
    assertThat(budget.reserved()).isEqualTo(LARGEST - INITIAL);

    peer.window.drainedLate(LARGEST / 2);
    assertThat(budget.reserved()).isEqualTo(LARGEST / 2);

    peer.window.readerGone();
    assertThat(budget.reserved()).isZero();
  }

  @Test
  @DisplayName("the default budget is an eighth of the direct memory of this JVM")
  void defaultBudget() {
    ReceiveBudget standard = new ReceiveBudget(0);
    long eighth = PlatformDependent.maxDirectMemory() / 8;
    int half = (int) Math.min(Integer.MAX_VALUE, eighth / 2);
    assertThat(standard.reserve(half, 0)).isTrue();
    assertThat(standard.reserve(half, half)).isFalse();
  }
}
