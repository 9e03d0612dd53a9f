// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * PINGs a connection at a fixed distance from the last answer, whether data flows or not, and tells
 * when an answer stays out. Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class Keepalive {
  /** Marks our PINGs; a drain uses another mark. */
  private static final long MARK = 0x6b656570616c6976L;

  private final ChannelHandlerContext ctx;
  private final Http2ConnectionEncoder encoder;
  private final Duration interval;
  private final Duration timeout;
  private final RoundTrip roundTrip;
  private final Runnable onSilence;
  private @Nullable Future<?> timer;

  Keepalive(
      ChannelHandlerContext ctx,
      Http2ConnectionEncoder encoder,
      Duration interval,
      Duration timeout,
      RoundTrip roundTrip,
      Runnable onSilence) {
    this.ctx = ctx;
    this.encoder = encoder;
    this.interval = interval;
    this.timeout = timeout;
    this.roundTrip = roundTrip;
    this.onSilence = onSilence;
  }

  void start() {
    schedule(this::ping, interval);
  }

  /** Before the channel closes, so that no PING fails on a closed one. */
  void stop() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  void answered(long mark) {
    if (mark == MARK && timer != null) {
      roundTrip.answered(now());
      stop();
      start();
    }
  }

  private void ping() {
    roundTrip.sent(now());
    encoder.writePing(ctx, false, MARK, ctx.newPromise());
    ctx.flush();
    schedule(onSilence, timeout);
  }

  private long now() {
    return ctx.executor().ticker().nanoTime();
  }

  private void schedule(Runnable task, Duration after) {
    timer = ctx.executor().schedule(task, after.toNanos(), TimeUnit.NANOSECONDS);
  }
}
