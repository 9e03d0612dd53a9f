// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.heddle.hbone.frames.Frame.Type.RST_STREAM;
import static io.heddle.hbone.rig.TunnelRig.open;
import static io.heddle.hbone.rig.TunnelRig.openAsync;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.Frame.Setting;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Pattern;
import io.heddle.hbone.rig.Recorder;
import io.heddle.hbone.rig.TunnelRig;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AbortTest {
  private static final int DOWNLOAD = 100 << 20;
  private static final int NORMAL = 1 << 20;
  private static final String[] CONNECT = {":method", "CONNECT", ":authority", "10.0.0.5:8080"};

  @Test
  @DisplayName(
      "streams opened and reset in one go end the connection, tunnels that were used do not")
  void onlyUnusedStreamsAreCounted() throws Exception {
    int limit = 10 * HboneSettings.defaults().maxStreamsServed();
    try (TunnelRig rig = TunnelRig.serving(Recorder::new);
        FrameConnection client = rig.rawClient()) {
      int stream = 1;
      for (int i = 0; i <= limit; i++, stream += 2) {
        client.send(Frame.headers(stream, false, CONNECT));
        client.sendData(stream, "x", false);
        client.send(Frame.reset(stream, Frame.ErrorCode.CANCEL));
      }
      client.send(Frame.headers(stream, false, CONNECT));
      int last = stream;
      client.await("an answer", f -> f.is(Frame.Type.HEADERS) && f.streamId() == last);

      for (int i = 0; i <= limit; i++) {
        client.send(Frame.reset(stream, Frame.ErrorCode.CANCEL));
        stream += 2;
        client.send(Frame.headers(stream, false, CONNECT));
      }

      ByteBuffer goAway = ByteBuffer.wrap(client.await(Frame.Type.GOAWAY).payload());
      assertThat(goAway.getInt(4)).isEqualTo(Frame.ErrorCode.ENHANCE_YOUR_CALM.ordinal());
    }
  }

  @Test
  @DisplayName("B043 aborted downloads leave no stream, no byte and no credit behind")
  void aborts() {
    List<Pattern> servers = new CopyOnWriteArrayList<>();
    HboneSettings settings =
        HboneSettings.defaults().toBuilder().streamWindowBytes(256 << 10).build();
    try (TunnelRig rig =
        TunnelRig.serving(
            () -> {
              long size = servers.size() < 100 ? DOWNLOAD : NORMAL;
              Pattern pattern = Pattern.sending(size, 60_000, new SplittableRandom(43));
              servers.add(pattern);
              return pattern;
            })) {
      ClientConnection connection = rig.connect(settings);
      List<Future<Tunnel>> downloads = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        downloads.add(openAsync(connection, new Aborting(i % 2 == 0)));
      }
      for (Future<Tunnel> download : downloads) {
        Tunnel tunnel = Await.get(download);
        if (!tunnel.config().isAutoRead()) {
          // Blocked on the window by now or soon; aborted with bytes unread.
          tunnel.close();
        }
        Await.get(tunnel.closeFuture());
      }
      for (Pattern server : servers) {
        assertThat(Await.get(server.error))
            .isInstanceOfSatisfying(
                TunnelException.Reset.class, e -> assertThat(e.code()).isEqualTo(0x8));
        Await.get(server.inactive);
      }
      assertThat(TunnelRig.on(connection, connection::activeStreams)).isZero();

      for (int i = 0; i < 10; i++) {
        Pattern client = Pattern.answering(0);
        open(connection, client);
        Await.get(client.inactive);
        assertThat(client.count).hasValue(NORMAL);
        assertThat(client.firstWrong).isEqualTo(-1);
      }
      assertThat(servers).hasSize(110);
      assertThat(unreturned((ClientTunnels) connection)).isZero();
    }
  }

  /** What was received and is neither consumed nor returned to the connection's window. */
  private static int unreturned(ClientTunnels connection) {
    return TunnelRig.on(
        connection,
        () ->
            connection
                .connection()
                .local()
                .flowController()
                .unconsumedBytes(connection.connection().connectionStream()));
  }

  @Test
  @DisplayName("a tunnel that its handler resets while it is written harms no other tunnel")
  void resetWhileWriting() throws Exception {
    try (TunnelRig rig = TunnelRig.serving(Giver::new);
        FrameConnection client = rig.rawClient(Map.of(Setting.INITIAL_WINDOW_SIZE, NORMAL))) {
      client.send(Frame.windowUpdate(0, NORMAL));
      client.send(Frame.headers(1, false, ":method", "CONNECT", ":authority", "10.0.0.5:8080"));

      client.await(RST_STREAM, 1);
      client.roundTrip();
    }
  }

  /** Gives much in small pieces, several to a frame, and breaks off when most of them are gone. */
  private static final class Giver extends ChannelInboundHandlerAdapter {
    private static final int PIECE = 8 << 10;

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      for (int given = 0; given < NORMAL; given += PIECE) {
        ctx.write(ctx.alloc().buffer(PIECE).writeZero(PIECE));
      }
      ctx.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      if (ctx.channel().isWritable()) {
        ((Tunnel) ctx.channel()).reset();
      }
    }
  }

  private static final class Aborting extends Recorder {
    private final boolean reads;

    Aborting(boolean reads) {
      this.reads = reads;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      ctx.channel().config().setAutoRead(reads);
    }

    @Override
    protected void received(ChannelHandlerContext ctx, ByteBuf data) {
      if (count.get() + data.readableBytes() >= 64 << 10) {
        ctx.close();
      }
    }
  }
}
