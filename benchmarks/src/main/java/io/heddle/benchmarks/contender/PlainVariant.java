// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.contender;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslHandler;

/**
 * How the plain contender is tuned. Every choice is one that an application could make too.
 *
 * @param deepQueue whether up to 1 MiB may wait for the socket, as in the mesh, instead of 64 KiB
 * @param largeReads whether up to 256 KiB are read at once instead of 64 KiB
 * @param wrapBytes how much is given to the TLS engine at once; 16 KiB is Netty's default
 * @param consolidated whether flushes of one batch of reads are consolidated
 */
public record PlainVariant(
    boolean deepQueue, boolean largeReads, int wrapBytes, boolean consolidated) {

  /** As Netty comes. */
  public static final PlainVariant DEFAULTS = new PlainVariant(false, false, 16 << 10, false);

  private static final WriteBufferWaterMark DEEP = new WriteBufferWaterMark(512 << 10, 1 << 20);
  private static final int LARGE_READ = 256 << 10;

  void applyTo(Channel channel) {
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    if (deepQueue) {
      channel.config().setWriteBufferWaterMark(DEEP);
    }
    if (largeReads) {
      channel
          .config()
          .setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(64, 64 << 10, LARGE_READ));
    }
  }

  /** When the connection is established, before the application's handler comes. */
  void completeOn(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.setWrapDataSize(wrapBytes);
    }
    if (consolidated) {
      channel.pipeline().addLast(new FlushConsolidationHandler());
    }
  }

  @Override
  public String toString() {
    return (deepQueue ? "1 MiB" : "64 KiB")
        + " queue, "
        + (largeReads ? "256 KiB" : "64 KiB")
        + " reads, TLS by "
        + (wrapBytes >> 10)
        + " KiB"
        + (consolidated ? ", flushes consolidated" : "");
  }
}
