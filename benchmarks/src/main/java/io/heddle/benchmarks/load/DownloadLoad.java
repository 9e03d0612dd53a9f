// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import io.heddle.benchmarks.contender.Contender;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

/** The other direction: the server sends as many bytes as a request of eight bytes says. */
public final class DownloadLoad implements AutoCloseable {

  private final Arrivals arrivals = new Arrivals();
  private final Channel channel;

  /**
   * Connects.
   *
   * @param chunk the size of each write of the server
   */
  public DownloadLoad(Contender contender, int chunk) throws InterruptedException {
    contender.serve(() -> new Answering(chunk));
    channel = contender.connect(new BulkSink(arrivals));
  }

  public Transfer run(long bytes) throws Exception {
    arrivals.expect(bytes);
    Stopwatch watch = new Stopwatch();
    channel.writeAndFlush(channel.alloc().buffer(Long.BYTES).writeLong(bytes)).sync();
    return watch.transferred(bytes, arrivals.await());
  }

  @Override
  public void close() {
    channel.close().awaitUninterruptibly();
  }

  /** Requests are small and alone on the wire: they come whole. */
  private static final class Answering extends BulkSource {
    Answering(int chunk) {
      super(chunk);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf request = (ByteBuf) message;
      long amount = request.readLong();
      request.release();
      send(ctx, amount);
    }
  }
}
