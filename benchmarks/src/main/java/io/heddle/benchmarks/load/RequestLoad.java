// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.load;

import io.heddle.benchmarks.contender.Contender;
import io.heddle.benchmarks.report.Statistics;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Small requests, each answered in kind, one outstanding on each of several connections. */
public final class RequestLoad implements AutoCloseable {

  private static final int MESSAGE = 1024;

  /** What one round gave: requests a second, latencies in microseconds. */
  public record Result(double rate, double p50Micros, double p99Micros) {}

  private final Arrivals finished = new Arrivals();
  private final List<Channel> channels = new ArrayList<>();
  private final List<Requester> requesters = new ArrayList<>();

  public RequestLoad(Contender contender, int connections) throws InterruptedException {
    contender.serve(Echo::new);
    for (int i = 0; i < connections; i++) {
      Requester requester = new Requester(finished);
      channels.add(contender.connect(requester));
      requesters.add(requester);
    }
  }

  public Result run(int requests) throws Exception {
    int each = requests / channels.size();
    finished.expect(channels.size());
    Stopwatch watch = new Stopwatch();
    for (int i = 0; i < requesters.size(); i++) {
      requesters.get(i).start(channels.get(i), each);
    }
    double seconds = watch.seconds(finished.await());
    long[] all = requesters.stream().flatMapToLong(r -> Arrays.stream(r.nanos)).sorted().toArray();
    return new Result(
        all.length / seconds,
        Statistics.percentile(all, 0.50) / 1e3,
        Statistics.percentile(all, 0.99) / 1e3);
  }

  @Override
  public void close() {
    channels.forEach(channel -> channel.close().awaitUninterruptibly());
  }

  /** Sends the next request when the answer to the last one is whole. Event loop only. */
  @SuppressWarnings("FutureReturnValueIgnored") // Void promises: a failure fires an exception.
  private static final class Requester extends ChannelInboundHandlerAdapter {
    private final Arrivals finished;
    private long[] nanos = new long[0];
    private int next;
    private int received;
    private long sentAt;

    Requester(Arrivals finished) {
      this.finished = finished;
    }

    void start(Channel channel, int requests) {
      channel
          .eventLoop()
          .execute(
              () -> {
                nanos = new long[requests];
                next = 0;
                received = 0;
                send(channel.pipeline().context(this));
              });
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
          finished.add(1);
        }
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      finished.fail(cause);
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
