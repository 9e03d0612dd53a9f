// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.telemetry;

import io.heddle.spi.ConnectionLabels.Reporter;
import io.heddle.spi.ConnectionObservation;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of one channel and tells its end once. It stands first in the pipeline, so that
 * it sees what the wire sees. Event loop only.
 */
public final class ObservedConnection extends ChannelDuplexHandler {

  private final ConnectionFacts facts;
  private final ConnectionObservation observation;
  private final LongSupplier nanoTime;
  private final long openedAt;
  private final boolean initiatorWrites;
  private long fromInitiator;
  private long towardsInitiator;
  private ResponseFlag flag = ResponseFlag.NONE;
  private @Nullable String error;
  private boolean ended;

  ObservedConnection(
      ConnectionFacts facts,
      ConnectionObservation observation,
      LongSupplier nanoTime,
      long openedAt) {
    this.facts = facts;
    this.observation = observation;
    this.nanoTime = nanoTime;
    this.openedAt = openedAt;
    this.initiatorWrites = facts.labels().reporter() == Reporter.SOURCE;
  }

  /** The connection was never established. */
  public void failed(ResponseFlag why, String message) {
    flag = why;
    error = message;
    end();
  }

  /** The connection is about to be cut; its end will carry this reason. */
  public void cut(ResponseFlag why, String message) {
    flag = why;
    error = message;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof ByteBuf bytes) {
      count(bytes.readableBytes(), !initiatorWrites);
    }
    ctx.fireChannelRead(message);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // It is the promise, which the writer holds.
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes) {
      count(bytes.readableBytes(), initiatorWrites);
    }
    ctx.write(message, promise);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (error == null) {
      flag = ResponseFlag.CONNECT;
      error = String.valueOf(cause.getMessage());
    }
    ctx.fireExceptionCaught(cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    end();
    ctx.fireChannelInactive();
  }

  /** Tells the end, for a pipeline that this handler never became part of. Idempotent. */
  public void end() {
    if (ended) {
      return;
    }
    ended = true;
    observation.closed(flag.label());
    Duration duration = Duration.ofNanos(nanoTime.getAsLong() - openedAt);
    AccessLog.complete(facts, fromInitiator, towardsInitiator, duration, error);
  }

  private void count(int bytes, boolean isFromInitiator) {
    if (bytes == 0) {
      return;
    }
    if (isFromInitiator) {
      fromInitiator += bytes;
      observation.fromInitiator(bytes);
    } else {
      towardsInitiator += bytes;
      observation.towardsInitiator(bytes);
    }
  }
}
