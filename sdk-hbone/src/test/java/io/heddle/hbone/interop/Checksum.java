// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.interop;

import io.heddle.hbone.rig.Output;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * One end of a bulk transfer: sends so many bytes and then its end, and tells the SHA-256 of what
 * it sent and of what came. No two blocks are alike, so that a lost, doubled or misplaced one
 * shows.
 */
final class Checksum extends ChannelInboundHandlerAdapter {
  private static final int BLOCK = 64 << 10;

  final CompletableFuture<String> sent = new CompletableFuture<>();
  final CompletableFuture<String> received = new CompletableFuture<>();
  private final MessageDigest output = sha256();
  private final MessageDigest input = sha256();
  private final byte[] block = new byte[BLOCK];
  private long left;
  private boolean mayStart;

  private Checksum(long bytes, boolean mayStart) {
    new SplittableRandom(bytes).nextBytes(block);
    this.left = bytes;
    this.mayStart = mayStart;
  }

  /** Sends at once. */
  static Checksum sending(long bytes) {
    return new Checksum(bytes, true);
  }

  /** Sends after the other side's end. */
  static Checksum answering(long bytes) {
    return new Checksum(bytes, false);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  private int nextBlock() {
    int size = (int) Math.min(BLOCK, left);
    for (int i = 0; i < Long.BYTES; i++) {
      block[i] = (byte) (left >>> (8 * i));
    }
    left -= size;
    return size;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    send(ctx);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    send(ctx);
  }

  private void send(ChannelHandlerContext ctx) {
    if (!mayStart) {
      return;
    }
    while (left > 0 && ctx.channel().isWritable()) {
      int size = nextBlock();
      output.update(block, 0, size);
      ctx.write(ctx.alloc().buffer(size).writeBytes(block, 0, size));
    }
    ctx.flush();
    if (left == 0 && !sent.isDone()) {
      sent.complete(hex(output));
      Output.end(ctx.channel());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      input.update(bytes.nioBuffer());
    } finally {
      bytes.release();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      received.complete(hex(input));
      mayStart = true;
      send(ctx);
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    sent.completeExceptionally(cause);
    received.completeExceptionally(cause);
    ctx.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    exceptionCaught(ctx, new AssertionError("closed before the end"));
  }
}
