// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.relay;

import io.heddle.internal.relay.RelayOutcome.Ending;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Two channels of one event loop, coupled: what comes from one goes to the other until both
 * directions have ended or one side fails.
 *
 * <p>Half-closes are passed on in either order and leave the other direction open. A side that
 * fails is answered by a reset of the other side, so that nobody takes a cut transfer for a whole
 * one; but what a side had sent to a clean end before it failed is delivered. When the {@linkplain
 * #outcome() outcome} is known, both channels are closed and every buffer is released.
 *
 * <p>State belongs to the event loop.
 */
public final class Relay {

  private final RelaySide downstream;
  private final RelaySide upstream;
  private final CompletableFuture<RelayOutcome> outcome = new CompletableFuture<>();
  private @Nullable RelaySide firstFailed;
  private @Nullable Ending ending;
  private @Nullable Throwable cause;
  private int channelsOpen = 2;

  private Relay(
      DuplexChannel downstream,
      ChannelReset resetDownstream,
      DuplexChannel upstream,
      ChannelReset resetUpstream) {
    this.downstream = new RelaySide(this, downstream, resetDownstream);
    this.upstream = new RelaySide(this, upstream, resetUpstream);
  }

  /**
   * Couples two active channels. Call it on their event loop; until then neither may have read:
   * both have had {@code autoRead} off since before they became active.
   *
   * @param downstream the channel that was accepted
   * @param upstream the channel that was opened for it
   */
  public static Relay couple(
      DuplexChannel downstream,
      ChannelReset resetDownstream,
      DuplexChannel upstream,
      ChannelReset resetUpstream) {
    EventLoop loop = downstream.eventLoop();
    if (loop != upstream.eventLoop() || !loop.inEventLoop()) {
      throw new IllegalArgumentException(
          "a relay is made on the one event loop of both its channels: "
              + downstream
              + ", "
              + upstream);
    }
    Relay relay = new Relay(downstream, resetDownstream, upstream, resetUpstream);
    relay.start();
    return relay;
  }

  /** Completes on the event loop when both channels are closed; never exceptionally. */
  public CompletionStage<RelayOutcome> outcome() {
    return outcome.minimalCompletionStage();
  }

  /** Resets both sides. Any thread; without effect once an ending is under way. */
  public void abort(Throwable reason) {
    EventLoop loop = downstream.channel().eventLoop();
    if (loop.inEventLoop()) {
      abortNow(reason);
    } else {
      loop.execute(() -> abortNow(reason));
    }
  }

  private void abortNow(Throwable reason) {
    if (ending == null) {
      end(Ending.ABORTED, reason);
      downstream.reset();
      upstream.reset();
    }
  }

  private void start() {
    ChannelFutureListener closed = future -> channelClosed();
    downstream.install();
    upstream.install();
    downstream.channel().closeFuture().addListener(closed);
    upstream.channel().closeFuture().addListener(closed);
    downstream.start();
    upstream.start();
  }

  RelaySide otherThan(RelaySide side) {
    return side == downstream ? upstream : downstream;
  }

  void failed(RelaySide side) {
    if (firstFailed == null) {
      firstFailed = side;
    }
    advance();
  }

  /** After every change of a side: whether it ends the relay. */
  void advance() {
    if (ending != null) {
      return;
    }
    if (firstFailed != null) {
      advanceAfterFailure(firstFailed, otherThan(firstFailed));
    } else if (downstream.isDone() && upstream.isDone()) {
      end(Ending.CLEAN, null);
      downstream.close();
      upstream.close();
    }
  }

  /**
   * A side that failed in the middle resets the other. One that had sent all it wanted, and then
   * left, does not: a reset would overtake its last bytes. The other side learns as from TCP
   * itself, when it sends something to nobody.
   */
  private void advanceAfterFailure(RelaySide failed, RelaySide other) {
    if (!failed.hasInputEnded() || other.hasSentToNobody() || other.failure() != null) {
      endAfter(failed);
      other.reset();
    } else if (other.isDone()) {
      endAfter(failed);
      other.close();
    } else {
      other.askForMore();
    }
  }

  private void endAfter(RelaySide failed) {
    end(failed == downstream ? Ending.DOWNSTREAM_RESET : Ending.UPSTREAM_RESET, failed.failure());
  }

  private void end(Ending how, @Nullable Throwable why) {
    ending = how;
    cause = why;
  }

  /**
   * Deferred, because a channel completes its close future before it tells its handlers why it was
   * closed.
   */
  private void channelClosed() {
    channelsOpen--;
    if (channelsOpen == 0) {
      downstream.channel().eventLoop().execute(this::complete);
    }
  }

  private void complete() {
    Ending how = ending == null ? Ending.ABORTED : ending;
    outcome.complete(
        new RelayOutcome(how, downstream.bytesReceived(), upstream.bytesReceived(), cause));
  }
}
