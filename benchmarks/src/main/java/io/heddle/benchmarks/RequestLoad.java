// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Small requests, each answered in kind, one outstanding on each of several connections. */
final class RequestLoad implements AutoCloseable {

  private static final int MESSAGE = 1024;
  private static final int LIMIT_SECONDS = 120;

  /** What one round gave: requests a second, latencies in microseconds. */
  record Result(double rate, double p50Micros, double p99Micros) {}

  private final List<Channel> channels = new ArrayList<>();
  private final List<Requester> requesters = new ArrayList<>();

  RequestLoad(Contender contender, int connections) throws Exception {
    contender.serve(Echo::new);
    for (int i = 0; i < connections; i++) {
      Requester requester = new Requester();
      channels.add(contender.connect(requester));
      requesters.add(requester);
    }
  }

  Result run(int requestsPerConnection) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(requesters.size());
    long start = System.nanoTime();
    for (int i = 0; i < requesters.size(); i++) {
      Requester requester = requesters.get(i);
      Channel channel = channels.get(i);
      channel.eventLoop().execute(() -> requester.start(channel, requestsPerConnection, done));
    }
    if (!done.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("requests were not answered in " + LIMIT_SECONDS + " s");
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    long[] all = requesters.stream().flatMapToLong(r -> Arrays.stream(r.nanos)).sorted().toArray();
    return new Result(
        all.length / seconds, all[all.length / 2] / 1e3, all[(int) (all.length * 0.99)] / 1e3);
  }

  @Override
  public void close() {
    for (Channel channel : channels) {
      channel.close().awaitUninterruptibly();
    }
  }

  /** Sends the next request when the answer to the last one is whole. Event loop only. */
  @SuppressWarnings("FutureReturnValueIgnored") // Void promises: a failure fires an exception.
  private static final class Requester extends ChannelInboundHandlerAdapter {
    private long[] nanos = new long[0];
    private int next;
    private int received;
    private long sentAt;
    private CountDownLatch done = new CountDownLatch(0);

    void start(Channel channel, int requests, CountDownLatch whenDone) {
      nanos = new long[requests];
      next = 0;
      received = 0;
      done = whenDone;
      send(channel.pipeline().context(this));
    }

    private void send(ChannelHandlerContext ctx) {
      sentAt = System.nanoTime();
      ctx.writeAndFlush(ctx.alloc().directBuffer(MESSAGE).writeZero(MESSAGE), ctx.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      received += bytes.readableBytes();
      bytes.release();
      if (received == MESSAGE) {
        received = 0;
        nanos[next++] = System.nanoTime() - sentAt;
        if (next < nanos.length) {
          send(ctx);
        } else {
          done.countDown();
        }
      }
    }
  }

  /** Answers with what came, flushed once for each batch of reads. */
  @SuppressWarnings("FutureReturnValueIgnored") // Void promises: a failure fires an exception.
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ctx.write(message, ctx.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.flush();
    }
  }
}
