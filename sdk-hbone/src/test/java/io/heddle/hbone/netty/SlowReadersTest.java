// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.rig.TunnelRig.openAsync;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.Frame.Type;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Recorder;
import io.heddle.hbone.rig.TunnelRig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What readers that do not read may cost, and whom. */
class SlowReadersTest {
  private static final int CONNECTIONS = 10;
  private static final int TUNNELS = 1_000;
  private static final int BYTES = 512 << 10;
  private static final int READ_FIRST = 128 << 10;
  private static final int INITIAL = 64 << 10;
  private static final int BUDGET = 32 << 20;

  /** Bytes on the way through sockets and TLS, and what pooling wastes. */
  private static final int SLACK = 64 << 20;

  private static final int STREAM = 1;
  private static final int PIECE = 16 << 10;

  private static final byte[] CONTENT = new byte[BYTES];

  static {
    new SplittableRandom(1_000).nextBytes(CONTENT);
  }

  @Test
  @DisplayName(
      "1000 readers that stop hold a bounded amount of direct memory, and slow down nobody")
  void stoppedReaders() throws Exception {
    HboneSettings settings =
        HboneSettings.defaults().toBuilder()
            .initialStreamWindowBytes(INITIAL)
            .receiveBudgetBytes(BUDGET)
            .maxStreamsPerConnection(TUNNELS)
            .build();
    try (TunnelRig rig = TunnelRig.serving(Source::new)) {
      List<ClientConnection> connections = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(rig.connect(settings));
      }
      long undisturbed = nanosFor(64, connections.get(0));
      long base = PlatformDependent.usedDirectMemory();

      List<Sink> slow = new ArrayList<>();
      List<Future<Tunnel>> opening = new ArrayList<>();
      for (int i = 0; i < TUNNELS; i++) {
        Sink sink = new Sink(READ_FIRST);
        slow.add(sink);
        opening.add(openAsync(connections.get(i % CONNECTIONS), sink));
      }
      opening.forEach(Await::get);
      slow.forEach(sink -> Await.get(sink.stopped));
      long disturbed = nanosFor(64, connections.get(0));
      long held = PlatformDependent.usedDirectMemory() - base;

      assertThat(held).isLessThan((long) TUNNELS * INITIAL + BUDGET + SLACK);
      assertThat(disturbed).isLessThan(4 * undisturbed + TimeUnit.SECONDS.toNanos(1));

      slow.forEach(Sink::goOn);
      slow.forEach(sink -> assertThat(Await.get(sink.done)).isEqualTo(BYTES));
    }
  }

  /** So many tunnels, one after the other, read as fast as they come. */
  private static long nanosFor(int tunnels, ClientConnection connection) {
    long start = System.nanoTime();
    for (int i = 0; i < tunnels; i++) {
      Sink sink = new Sink(Integer.MAX_VALUE);
      TunnelRig.open(connection, sink);
      assertThat(Await.get(sink.done)).isEqualTo(BYTES);
    }
    return System.nanoTime() - start;
  }

  /** Writes the content, from memory that all sources share. */
  private static final class Source extends ChannelInboundHandlerAdapter {
    private final ByteBuf left = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(CONTENT));

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      write(ctx);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      write(ctx);
    }

    private void write(ChannelHandlerContext ctx) {
      while (left.isReadable() && ctx.channel().isWritable()) {
        ctx.writeAndFlush(left.readRetainedSlice(Math.min(PIECE, left.readableBytes())));
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  /** Compares what arrives with the content, and stops to read once. */
  private static final class Sink extends ChannelInboundHandlerAdapter {
    final CompletableFuture<Void> stopped = new CompletableFuture<>();
    final CompletableFuture<Integer> done = new CompletableFuture<>();
    private final ByteBuf expected = Unpooled.wrappedBuffer(CONTENT);
    private final int stopAt;
    private volatile ChannelHandlerContext context;

    Sink(int stopAt) {
      this.stopAt = stopAt;
    }

    void goOn() {
      context.channel().config().setAutoRead(true);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      context = ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf data = (ByteBuf) message;
      int size = data.readableBytes();
      boolean equal = ByteBufUtil.equals(expected.readSlice(size), data);
      data.release();
      if (!equal) {
        done.complete(expected.readerIndex() - size);
        ctx.close();
      } else if (!expected.isReadable()) {
        done.complete(BYTES);
        ctx.close();
      } else if (expected.readerIndex() >= stopAt && !stopped.isDone()) {
        ctx.channel().config().setAutoRead(false);
        stopped.complete(null);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      done.completeExceptionally(cause);
      ctx.close();
    }
  }

  @Test
  @DisplayName("on the wire the credit of a tunnel grows as long as its reader keeps up")
  void creditGrows() throws Exception {
    Recorder reader =
        new Recorder() {
          @Override
          protected void received(ChannelHandlerContext ctx, ByteBuf data) {}
        };
    try (TunnelRig rig = TunnelRig.serving(() -> reader);
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(STREAM, false, ":method", "CONNECT", ":authority", "10.0.0.5:80"));
      client.await(Type.HEADERS, STREAM);
      long sent = 0;
      for (long credit = INITIAL; credit < 1 << 20; credit = newCredit(client)) {
        assertThat(sent).isLessThan(64 << 20);
        sent += use(credit, client);
        client.roundTrip();
      }
      assertThat(reader.count).hasValue(sent);
    }
  }

  private static long use(long credit, FrameConnection client) {
    for (long left = credit; left > 0; left -= PIECE) {
      client.send(Frame.data(STREAM, new byte[(int) Math.min(left, PIECE)], false));
    }
    return credit;
  }

  /** What all updates that have come add up to. */
  private static long newCredit(FrameConnection client) throws InterruptedException {
    long credit = 0;
    Frame update = client.await(Type.WINDOW_UPDATE, STREAM);
    while (update != null) {
      credit += ByteBuffer.wrap(update.payload()).getInt();
      update = client.poll(f -> f.is(Type.WINDOW_UPDATE) && f.streamId() == STREAM, Duration.ZERO);
    }
    return credit;
  }
}
