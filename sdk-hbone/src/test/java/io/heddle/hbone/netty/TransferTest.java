// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.frames.Frame.Type.DATA;
import static io.heddle.hbone.rig.TunnelRig.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.Frame.Setting;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.frames.FramePeer;
import io.heddle.hbone.frames.PeerTls;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Echo;
import io.heddle.hbone.rig.Gateway;
import io.heddle.hbone.rig.Pattern;
import io.heddle.hbone.rig.Recorder;
import io.heddle.hbone.rig.TunnelRig;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferTest {
  private static final long TEN_MIB = 10 << 20;

  private static HboneSettings window(int bytes) {
    return HboneSettings.defaults().toBuilder().streamWindowBytes(bytes).build();
  }

  private static Pattern send(long bytes, int largestPiece) {
    return Pattern.sending(bytes, largestPiece, new SplittableRandom(bytes));
  }

  private static void assertCopied(Pattern pattern, long bytes) {
    Await.get(pattern.inactive);
    assertThat(pattern.firstWrong).isEqualTo(-1);
    assertThat(pattern.count).hasValue(bytes);
    assertThat(pattern.events).containsExactly("active", "end", "inactive");
  }

  @ParameterizedTest(name = "B038 10 MiB pass a window of {0}, both ways")
  @ValueSource(ints = {65_535, 4 << 20})
  void largerThanTheWindow(int bytes) {
    try (TunnelRig rig = TunnelRig.serving(window(bytes), Echo::new)) {
      Pattern pattern = send(TEN_MIB, 100_000);
      open(rig.connect(window(bytes)), pattern);
      assertCopied(pattern, TEN_MIB);
    }
  }

  @ParameterizedTest(name = "B038 10 MiB pass HBONE inside HBONE with windows of {0}, both ways")
  @ValueSource(ints = {65_535, 4 << 20})
  void doubleTunnel(int bytes) {
    try (TunnelRig workload = TunnelRig.serving(window(bytes), Echo::new);
        TunnelRig gateway = TunnelRig.start(window(bytes), new Gateway(workload.address))) {
      Tunnel outer = open(gateway.connect(window(bytes)), new ChannelInboundHandlerAdapter());
      ClientConnection inner =
          Await.get(
              Await.get(
                  outer
                      .eventLoop()
                      .submit(
                          () ->
                              workload
                                  .connector(window(bytes))
                                  .connectOver(outer, workload.target()))));
      Pattern pattern = send(TEN_MIB, 100_000);
      open(inner, pattern);
      assertCopied(pattern, TEN_MIB);
      TunnelRig.on(inner, () -> close(inner));
      Await.get(outer.closeFuture());
    }
  }

  private static boolean close(ClientConnection connection) {
    connection.closeNow();
    return true;
  }

  @Test
  @DisplayName("B038 10 MiB pass a peer whose streams start with a window of 1")
  void windowOfOne() throws Exception {
    AtomicLong received = new AtomicLong();
    try (TunnelRig rig = TunnelRig.serving(Echo::new);
        FramePeer peer =
            FramePeer.overTls(
                PeerTls.of(rig.pki, TunnelRig.SERVER.toString()),
                (connection, number) -> growFromOne(connection, received))) {
      Tunnel tunnel = openTo(rig, peer, send(TEN_MIB, 100_000));
      peer.awaitPlayed();
      assertThat(received).hasValue(TEN_MIB);
      Await.get(tunnel.closeFuture());
    }
  }

  private static void growFromOne(FrameConnection connection, AtomicLong received)
      throws InterruptedException {
    connection.sendSettings(Map.of(Setting.INITIAL_WINDOW_SIZE, 1));
    connection.send(Frame.windowUpdate(0, 1 << 30));
    int stream = connection.awaitRequest().streamId();
    connection.sendStatus(stream, 200);
    Frame frame = connection.await(DATA, stream);
    assertThat(frame.payload()).hasSize(1);
    connection.expectNone("DATA beyond the window", f -> f.is(DATA), Duration.ofMillis(50));
    connection.send(Frame.windowUpdate(stream, 1));
    assertThat(connection.await(DATA, stream).payload()).hasSize(1);
    received.addAndGet(2);
    while ((frame.flags() & Frame.END_STREAM) == 0) {
      connection.send(Frame.windowUpdate(stream, 200_000));
      frame = connection.await(DATA, stream);
      received.addAndGet(frame.payload().length);
      assertThat(frame.payload().length > 0 || (frame.flags() & Frame.END_STREAM) != 0).isTrue();
    }
    connection.sendData(stream, "", true);
  }

  @Test
  @DisplayName("a window that the peer shrinks below zero and grows again in mid-stream is obeyed")
  void windowChanges() throws Exception {
    AtomicLong received = new AtomicLong();
    try (TunnelRig rig = TunnelRig.serving(Echo::new);
        FramePeer peer =
            FramePeer.overTls(
                PeerTls.of(rig.pki, TunnelRig.SERVER.toString()),
                (connection, number) -> shrinkAndGrow(connection, received))) {
      Tunnel tunnel = openTo(rig, peer, send(200_000, 10_000));
      peer.awaitPlayed();
      assertThat(received).hasValue(200_000);
      Await.get(tunnel.closeFuture());
    }
  }

  private static void shrinkAndGrow(FrameConnection connection, AtomicLong received)
      throws InterruptedException {
    connection.sendSettings(Map.of(Setting.INITIAL_WINDOW_SIZE, 65_535));
    connection.send(Frame.windowUpdate(0, 1 << 30));
    int stream = connection.awaitRequest().streamId();
    connection.sendStatus(stream, 200);
    receive(connection, stream, received, 65_535);
    connection.sendSettings(Map.of(Setting.INITIAL_WINDOW_SIZE, 1_000));
    connection.awaitSettled();
    connection.send(Frame.windowUpdate(stream, 64_535));
    connection.expectNone("DATA at window 0", f -> f.is(DATA), Duration.ofMillis(50));
    connection.sendSettings(Map.of(Setting.INITIAL_WINDOW_SIZE, 10_000));
    receive(connection, stream, received, 65_535 + 9_000);
    connection.send(Frame.windowUpdate(stream, 1 << 20));
    receive(connection, stream, received, 200_000);
    connection.sendData(stream, "", true);
  }

  private static void receive(FrameConnection connection, int stream, AtomicLong total, long until)
      throws InterruptedException {
    while (total.get() < until) {
      total.addAndGet(connection.await(DATA, stream).payload().length);
    }
    assertThat(total).hasValue(until);
  }

  private static Tunnel openTo(TunnelRig rig, FramePeer peer, Recorder handler) {
    TunnelTarget target =
        new TunnelTarget(
            peer.address(),
            List.of(TunnelRig.SERVER),
            null,
            TunnelRig.AUTHORITY,
            TunnelHeaders.NONE);
    ClientConnection connection = Await.get(rig.dial(HboneSettings.defaults(), target));
    return open(connection, handler);
  }

  @Test
  @DisplayName("B033 a slow reader loses and repeats nothing, and holds at most a window")
  void slowReader() throws Exception {
    long bytes = 8 << 20;
    int window = 256 << 10;
    RandomGenerator random = new SplittableRandom(33);
    Pattern server = send(bytes, 60_000);
    try (TunnelRig rig = TunnelRig.serving(window(window), () -> server)) {
      Pattern client = send(bytes, 60_000);
      AtomicLong taken = new AtomicLong();
      Tunnel tunnel =
          open(
              rig.connect(window(window)),
              new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel channel) {
                  channel.config().setAutoRead(false);
                  channel.pipeline().addLast(new Reluctant(random, taken), client);
                }
              });
      Await.get(tunnel.closeFuture());
      assertCopied(client, bytes);
      assertCopied(server, bytes);
    }
  }

  /** Reads one message at a time, and often only after a while. */
  private static final class Reluctant extends ChannelInboundHandlerAdapter {
    private final RandomGenerator random;
    private final AtomicLong reads;

    Reluctant(RandomGenerator random, AtomicLong reads) {
      this.random = random;
      this.reads = reads;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.fireChannelActive();
      ctx.read();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.fireChannelReadComplete();
      reads.incrementAndGet();
      if (random.nextInt(8) == 0) {
        ctx.executor().schedule(ctx::read, random.nextInt(2_000), TimeUnit.MICROSECONDS);
      } else {
        ctx.read();
      }
    }
  }

  @Test
  @DisplayName("APP-09 short writes of random sizes arrive as they were, in few frames")
  void shortWrites() {
    try (TunnelRig rig = TunnelRig.serving(Echo::new)) {
      Pattern pattern = send(1 << 20, 700);
      open(rig.connect(), pattern);
      assertCopied(pattern, 1 << 20);
    }
  }

  @Test
  @DisplayName("B039 tunnels that nobody reads, more than the connection window, block no other")
  void stalledTunnels() throws Exception {
    int window = 1 << 20;
    HboneSettings settings =
        HboneSettings.defaults().toBuilder()
            .streamWindowBytes(window)
            .connectionWindowBytes(2 << 20)
            .build();
    List<Pattern> senders = new ArrayList<>();
    try (TunnelRig rig =
        TunnelRig.start(
            request -> {
              if (request.authority().port() == 1) {
                Pattern sender = send(64 << 20, 60_000);
                senders.add(sender);
                request.accept(null, sender);
              } else {
                request.accept(null, new Echo());
              }
            })) {
      ClientConnection connection = rig.connect(settings);
      List<Tunnel> stalled = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        stalled.add(openStalled(connection));
      }
      PingPong pingPong = new PingPong(200);
      open(connection, pingPong);

      Await.get(pingPong.done);
      assertThat(pingPong.medianMillis()).isLessThan(100);
      Await.until(
          "the stalled senders to be stopped",
          () -> senders.size() == 4 && senders.stream().noneMatch(s -> isWritable(s)));
      for (Tunnel tunnel : stalled) {
        Await.get(tunnel.close());
      }
    }
  }

  private static boolean isWritable(Pattern pattern) {
    return Await.get(pattern.active).isWritable();
  }

  private static Tunnel openStalled(ClientConnection connection) {
    return Await.get(
        Await.get(
            connection
                .eventLoop()
                .submit(
                    () ->
                        connection.open(
                            Authority.parse("10.0.0.5:1"),
                            TunnelHeaders.NONE,
                            new ChannelInboundHandlerAdapter() {
                              @Override
                              public void handlerAdded(ChannelHandlerContext ctx) {
                                ctx.channel().config().setAutoRead(false);
                              }
                            }))));
  }

  @Test
  @DisplayName("B051 two small writes per request wait for no delayed acknowledgement")
  void pingPong() {
    try (TunnelRig rig = TunnelRig.serving(Echo::new)) {
      PingPong pingPong = new PingPong(1_000);
      Tunnel tunnel = open(rig.connect(), pingPong);
      Await.get(pingPong.done);
      // A Nagle delay is 40 ms on each round; the bound leaves room for a busy machine.
      assertThat(pingPong.medianMillis()).isLessThan(20);
      assertThat(tunnel.parent().config().getOption(ChannelOption.TCP_NODELAY)).isTrue();
    }
  }

  @Test
  @DisplayName("B051 accepted sockets have TCP_NODELAY")
  void acceptedNoDelay() {
    Recorder server = new Recorder();
    try (TunnelRig rig = TunnelRig.serving(() -> server)) {
      open(rig.connect(), new Recorder());
      Channel tunnel = Await.get(server.active);
      assertThat(tunnel.parent().config().getOption(ChannelOption.TCP_NODELAY)).isTrue();
    }
  }
}
