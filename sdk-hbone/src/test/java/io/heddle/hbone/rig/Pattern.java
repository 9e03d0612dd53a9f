// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.rig;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.random.RandomGenerator;

/**
 * Bytes that tell their own position: the sender writes them in pieces of any size, the receiver
 * checks each. Both in one handler, since both directions are often wanted at once.
 */
public final class Pattern extends Recorder {
  private final long toSend;
  private final int largestPiece;
  private final RandomGenerator random;
  private final boolean endsWithPeer;
  private long sent;
  private long received;
  private boolean sending;
  private boolean outputOver;
  public volatile long firstWrong = -1;

  private Pattern(long toSend, int largestPiece, RandomGenerator random, boolean endsWithPeer) {
    this.toSend = toSend;
    this.largestPiece = largestPiece;
    this.random = random;
    this.endsWithPeer = endsWithPeer;
  }

  /** Sends so many bytes from the start, then its end. */
  public static Pattern sending(long bytes, int largestPiece, RandomGenerator random) {
    return new Pattern(bytes, largestPiece, random, false);
  }

  /** Sends after the peer's end, then its own end. */
  public static Pattern answering(long bytes) {
    return new Pattern(bytes, 64 << 10, RandomGenerator.of("L64X128MixRandom"), true);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    super.channelActive(ctx);
    if (!endsWithPeer) {
      send(ctx);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (sending) {
      send(ctx);
    }
  }

  private void send(ChannelHandlerContext ctx) {
    sending = true;
    while (sent < toSend && ctx.channel().isWritable()) {
      int size = (int) Math.min(toSend - sent, 1 + random.nextInt(largestPiece));
      ByteBuf piece = ctx.alloc().buffer(size);
      for (int i = 0; i < size; i++) {
        piece.writeByte(at(sent + i));
      }
      sent += size;
      ctx.write(piece);
      if (random.nextInt(4) == 0) {
        ctx.flush();
      }
    }
    ctx.flush();
    if (sent == toSend && !outputOver) {
      outputOver = true;
      Output.end(ctx.channel());
    }
  }

  private static byte at(long position) {
    long mixed = position * 0x9E3779B97F4A7C15L;
    return (byte) (mixed >>> 56);
  }

  @Override
  protected void received(ChannelHandlerContext ctx, ByteBuf data) {
    for (int i = data.readerIndex(); i < data.writerIndex(); i++, received++) {
      if (data.getByte(i) != at(received) && firstWrong < 0) {
        firstWrong = received;
      }
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    super.userEventTriggered(ctx, event);
    if (endsWithPeer && event instanceof ChannelInputShutdownEvent) {
      send(ctx);
    }
  }
}
