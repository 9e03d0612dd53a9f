// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.parts;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.internal.h2.ClientConnector;
import io.heddle.hbone.internal.h2.TransportSecurity;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustDomain;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The client's end of one established tunnel over a channel without a wire: what a peer would send
 * is put in as bytes (RFC 9113 section 4.1), and what is sent is dropped.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Void promises: a failure fires an exception.
final class EmbeddedTunnel {

  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_HEADERS = 4;
  private static final int FRAME_HEADER = 9;
  private static final int LARGEST_WINDOW = Integer.MAX_VALUE;
  private static final int FIRST_STREAM = 3;
  private static final byte STATUS_200 = (byte) 0x88;

  private static final SpiffeId PEER =
      SpiffeId.workload(TrustDomain.parse("cluster.local"), "bench", "server");

  /** Nobody is there to answer. */
  private static final HboneSettings SETTINGS_WITHOUT_PINGS =
      HboneSettings.defaults().toBuilder().pingInterval(Duration.ofDays(1)).build();

  private final EmbeddedChannel wire = new EmbeddedChannel();
  private final Tunnel tunnel;
  private long credit;

  EmbeddedTunnel() {
    ClientConnector connector =
        new ClientConnector(new NoTls(), SETTINGS_WITHOUT_PINGS, Clock.systemUTC());
    Future<ClientConnection> connecting =
        connector.connectOver(
            wire,
            new TunnelTarget(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 15008),
                List.of(PEER),
                null,
                Authority.parse("127.0.0.1:8080"),
                TunnelHeaders.NONE));
    receive(settings());
    receive(windowUpdate(0, LARGEST_WINDOW - 65_535));
    Future<Tunnel> opening =
        connecting
            .getNow()
            .open(Authority.parse("127.0.0.1:8080"), TunnelHeaders.NONE, new Dropping());
    settle();
    receive(frame(HEADERS, END_HEADERS, FIRST_STREAM, 1).writeByte(STATUS_200));
    tunnel = opening.getNow();
    credit = LARGEST_WINDOW;
  }

  /** Sends through the tunnel, down to the frames on the wire. */
  void send(ByteBuf bytes) {
    if (credit < bytes.readableBytes()) {
      int spent = (int) (LARGEST_WINDOW - credit);
      receive(windowUpdate(0, spent));
      receive(windowUpdate(FIRST_STREAM, spent));
      credit += spent;
    }
    credit -= bytes.readableBytes();
    tunnel.writeAndFlush(bytes, tunnel.voidPromise());
    settle();
  }

  /** Receives from the wire, up to the tunnel's handler. */
  void receive(ByteBuf frames) {
    wire.writeInbound(frames);
    settle();
  }

  void close() {
    wire.finishAndReleaseAll();
  }

  /** A DATA frame of the tunnel. */
  static ByteBuf data(int length) {
    return frame(0, 0, FIRST_STREAM, length).writeZero(length);
  }

  private void settle() {
    wire.runPendingTasks();
    for (Object sent = wire.readOutbound(); sent != null; sent = wire.readOutbound()) {
      ReferenceCountUtil.release(sent);
    }
  }

  private static ByteBuf settings() {
    return frame(SETTINGS, 0, 0, 18)
        .writeShort(3)
        .writeInt(100)
        .writeShort(4)
        .writeInt(LARGEST_WINDOW)
        .writeShort(5)
        .writeInt(1 << 20);
  }

  private static ByteBuf windowUpdate(int stream, int increment) {
    return frame(WINDOW_UPDATE, 0, stream, Integer.BYTES).writeInt(increment);
  }

  private static ByteBuf frame(int type, int flags, int stream, int length) {
    return Unpooled.directBuffer(FRAME_HEADER + length)
        .writeMedium(length)
        .writeByte(type)
        .writeByte(flags)
        .writeInt(stream);
  }

  private static final class Dropping extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }
  }

  /** TLS is not what is measured here. */
  private static final class NoTls implements TransportSecurity {
    @Override
    public Future<PeerSvid> secureClient(ChannelPipeline pipeline, List<SpiffeId> expected) {
      return secureServer(pipeline);
    }

    @Override
    public Future<PeerSvid> secureServer(ChannelPipeline pipeline) {
      PeerSvid peer = new PeerSvid(PEER, List.of(), Instant.MAX);
      return pipeline.channel().eventLoop().newSucceededFuture(peer);
    }
  }
}
