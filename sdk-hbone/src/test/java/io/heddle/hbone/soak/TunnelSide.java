// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.Tunnel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One end of a tunnel: sends its bytes, checks those of the peer, and does what the plan has for
 * it.
 */
final class TunnelSide extends ChannelInboundHandlerAdapter {
  private static final int LARGEST_PIECE = 60_000;

  private final Passage passage;
  private final boolean isClient;
  private final Bytes outgoing;
  private final Bytes incoming;
  private final int toSend;
  private final int toReceive;
  private final Random random;

  private volatile int port = -1;
  private volatile long received;
  private volatile boolean endSeen;
  private volatile @Nullable Throwable error;

  /** How many bytes came before our end; -1 while, or if, there is none. */
  private volatile long endedAt = -1;

  private int sent;
  private boolean stopped;

  TunnelSide(Passage passage, boolean isClient) {
    Plan plan = passage.plan;
    this.passage = passage;
    this.isClient = isClient;
    outgoing = new Bytes(plan, isClient);
    incoming = new Bytes(plan, !isClient);
    toSend = isClient ? plan.up() : plan.down();
    toReceive = isClient ? plan.down() : plan.up();
    random = new Random(isClient ? plan.seed() : ~plan.seed());
  }

  /** The port of the connection at the relay's side; -1 before the tunnel was open. */
  int port() {
    return port;
  }

  private Plan.Kind kind() {
    return passage.plan.kind();
  }

  private TunnelSide other() {
    return isClient ? passage.server : passage.client;
  }

  private boolean isSlow() {
    return kind() == (isClient ? Plan.Kind.SLOW_CLIENT : Plan.Kind.SLOW_SERVER);
  }

  private boolean answersOnly() {
    return kind() == (isClient ? Plan.Kind.SERVER_ENDS_FIRST : Plan.Kind.CLIENT_ENDS_FIRST);
  }

  private boolean resets() {
    return kind() == (isClient ? Plan.Kind.CLIENT_RESETS : Plan.Kind.SERVER_RESETS);
  }

  private boolean closes() {
    return kind() == (isClient ? Plan.Kind.CLIENT_CLOSES : Plan.Kind.SERVER_CLOSES);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(!isSlow());
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    InetSocketAddress address =
        (InetSocketAddress)
            (isClient
                ? ctx.channel().parent().localAddress()
                : ctx.channel().parent().remoteAddress());
    port = address.getPort();
    if (isSlow()) {
      passage.count(isClient ? Happening.SLOW_CLIENT : Happening.SLOW_SERVER);
      ctx.read();
    }
    if (!answersOnly()) {
      send(ctx);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (!answersOnly() || endSeen) {
      send(ctx);
    }
  }

  private void send(ChannelHandlerContext ctx) {
    int until = resets() || closes() ? passage.plan.stopAt() : toSend;
    while (!stopped && sent < until && ctx.channel().isWritable()) {
      int size = Math.min(until - sent, 1 + random.nextInt(LARGEST_PIECE));
      ByteBuf piece = ctx.alloc().buffer(size);
      outgoing.write(piece, sent, size);
      sent += size;
      ctx.write(piece);
      if (random.nextInt(4) == 0) {
        ctx.flush();
      }
    }
    ctx.flush();
    if (!stopped && sent == until) {
      stopped = true;
      stop((Tunnel) ctx.channel());
    }
  }

  private void stop(Tunnel tunnel) {
    if (resets()) {
      passage.count(isClient ? Happening.RESET_BY_CLIENT : Happening.RESET_BY_SERVER);
      tunnel.reset();
    } else {
      endedAt = sent;
      if (closes()) {
        passage.count(isClient ? Happening.CLOSED_BY_CLIENT : Happening.CLOSED_BY_SERVER);
        tunnel.close();
      } else {
        tunnel.shutdownOutput();
      }
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf data = (ByteBuf) message;
    try {
      if (endSeen || error != null) {
        passage.fail("bytes after the end");
      } else if (received + data.readableBytes() > toReceive) {
        passage.fail("more bytes than were sent");
      } else if (!incoming.matches(data, received)) {
        passage.fail("wrong bytes within " + data.readableBytes() + " at " + received);
      }
      received += data.readableBytes();
    } finally {
      data.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (!isSlow()) {
      return;
    }
    if (random.nextInt(8) == 0) {
      ctx.executor().schedule(ctx::read, random.nextInt(3_000), TimeUnit.MICROSECONDS);
    } else {
      ctx.read();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event != ChannelInputShutdownEvent.INSTANCE) {
      return;
    }
    endSeen = true;
    if (received != other().endedAt) {
      passage.fail("an orderly end after " + received + " bytes");
    }
    if (endedAt < 0) {
      countHalfClose();
    }
    if (answersOnly()) {
      send(ctx);
    }
  }

  private void countHalfClose() {
    passage.count(isClient ? Happening.HALF_CLOSED_BY_SERVER : Happening.HALF_CLOSED_BY_CLIENT);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    error = cause;
    if (!(cause instanceof TunnelException)) {
      passage.fail("an error that is no TunnelException: " + cause);
    }
  }

  /** The tunnel is over. Judges this end. */
  void closed(boolean excused) {
    passage.journal.bytes(received);
    boolean complete =
        error == null && endSeen && received == toReceive && endedAt == toSend && !closes();
    if (complete && isClient) {
      passage.count(Happening.COMPLETED);
    }
    if (!complete && !passage.plan.mayEndEarly()) {
      passage.count(Happening.TUNNEL_LOST);
      if (!excused) {
        passage.fail((isClient ? "client" : "server") + "'s end over before its time, by nobody");
      }
    }
  }

  @Override
  public String toString() {
    return String.format(
        "sent %d of %d, received %d of %d%s%s, connection %d",
        sent,
        toSend,
        received,
        toReceive,
        endSeen ? ", end seen" : "",
        error == null ? "" : ", " + error,
        port);
  }
}
