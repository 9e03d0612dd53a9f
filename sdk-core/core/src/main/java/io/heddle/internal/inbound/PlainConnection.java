// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.heddle.internal.policy.ConnectionAttributes;
import io.heddle.internal.policy.Verdict;
import io.heddle.internal.relay.ChannelReset;
import io.heddle.internal.relay.Relay;
import io.heddle.internal.state.Workload;
import io.heddle.internal.telemetry.ObservedConnection;
import io.heddle.internal.telemetry.ResponseFlag;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * One caller in plain text, from its verdict to its end. It has no identity, and a policy that has
 * not arrived refuses it at once. Confined to the event loop of its channel.
 */
final class PlainConnection implements ConnectionTable.Entry {

  private final TunnelTerminator terminator;
  private final SocketChannel channel;
  private final Delivery.ByTcp delivery;
  private final ConnectionJudge judge;
  private final ObservedConnection observed;
  private final boolean probe;
  private boolean ended;

  private PlainConnection(
      TunnelTerminator terminator,
      SocketChannel channel,
      Delivery.ByTcp delivery,
      ConnectionJudge judge,
      ObservedConnection observed,
      boolean probe) {
    this.terminator = terminator;
    this.channel = channel;
    this.delivery = delivery;
    this.judge = judge;
    this.observed = observed;
    this.probe = probe;
  }

  /**
   * A caller that was accepted.
   *
   * @param port that is exposed
   * @param probe whether it is let in whatever policies say
   */
  static PlainConnection of(
      TunnelTerminator terminator,
      SocketChannel channel,
      int port,
      Delivery.ByTcp delivery,
      boolean probe) {
    Workload own = Objects.requireNonNull(terminator.own(), "own workload");
    InetSocketAddress local = channel.localAddress();
    ConnectionAttributes attributes =
        new ConnectionAttributes(
            channel.remoteAddress().getAddress(), null, local.getAddress(), port);
    ObservedConnection observed =
        terminator
            .observer()
            .open(InboundFacts.ofPlain(terminator.mesh(), own, channel.remoteAddress(), local));
    return new PlainConnection(
        terminator,
        channel,
        delivery,
        new ConnectionJudge(terminator, own, attributes),
        observed,
        probe);
  }

  void start() {
    channel.pipeline().addFirst(observed);
    channel.closeFuture().addListener(closed -> end());
    terminator.table().register(this);
    judge();
    if (!ended) {
      terminator
          .dialer()
          .dial(channel.eventLoop(), delivery.address(), null)
          .addListener(this::dialled);
    }
  }

  @Override
  public void policiesChanged() {
    channel.eventLoop().execute(this::judge);
  }

  private void judge() {
    if (!ended && !probe && judge.verdict() instanceof Verdict.Denied denied) {
      observed.cut(ResponseFlag.DENY, "policy rejection: " + denied.message());
      end();
      ChannelReset.ofTcp().reset(channel);
    }
  }

  private void dialled(Future<? super DuplexChannel> dialled) {
    if (!dialled.isSuccess()) {
      observed.cut(
          ResponseFlag.CONNECT,
          "cannot reach the application at "
              + delivery.address()
              + ": "
              + dialled.cause().getMessage());
      ChannelReset.ofTcp().reset(channel);
      return;
    }
    DuplexChannel application = (DuplexChannel) dialled.getNow();
    if (ended) {
      application.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    } else {
      Relay.couple(channel, ChannelReset.ofTcp(), application, ChannelReset.ofTcp());
    }
  }

  private void end() {
    ended = true;
    terminator.table().release(this);
  }
}
