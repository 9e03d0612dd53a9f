// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.identity.PeerSvid;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;

/** The client's role: opens tunnels within the credit that both sides' limits leave. */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class ClientTunnels extends TunnelConnection implements ClientConnection {
  private final EventLoop eventLoop;
  private final Promise<ClientConnection> settled;
  private final Promise<Void> closed;
  private Runnable listener = () -> {};
  private boolean peerSettled;
  private boolean goAwayReceived;
  private int lastProcessed = Integer.MAX_VALUE;
  private boolean closeWhenIdle;
  private int nextStreamId = 1;

  ClientTunnels(Environment environment, PeerSvid peer, String remote, EventLoop eventLoop) {
    super(
        Http2Codec.client(environment.settings()),
        environment,
        peer,
        remote,
        new PeerLimits(eventLoop.ticker(), environment.settings().maxStreamsPerConnection()));
    this.eventLoop = eventLoop;
    this.settled = eventLoop.newPromise();
    this.closed = eventLoop.newPromise();
  }

  /** Succeeds with the peer's SETTINGS: before them its limits are unknown. */
  Future<ClientConnection> settled() {
    return settled;
  }

  @Override
  public EventLoop eventLoop() {
    return eventLoop;
  }

  @Override
  public boolean accepting() {
    return peerSettled && !goAwayReceived && !closeWhenIdle && !isClosing();
  }

  @Override
  public int activeStreams() {
    return connection().local().numActiveStreams();
  }

  @Override
  public int streamCredit() {
    if (!accepting()) {
      return 0;
    }
    int limit =
        Math.min(settings().maxStreamsPerConnection(), connection().local().maxActiveStreams());
    return Math.max(0, limit - activeStreams());
  }

  @Override
  public void listener(Runnable creditOrStateChanged) {
    listener = creditOrStateChanged;
  }

  @Override
  public Future<Void> closed() {
    return closed;
  }

  @Override
  public Future<Tunnel> open(
      Authority authority, TunnelHeaders headers, ChannelHandler initializer) {
    Promise<Tunnel> promise = eventLoop.newPromise();
    if (streamCredit() == 0) {
      String why = accepting() ? "has no free stream" : "takes no more tunnels";
      return promise.setFailure(
          new TunnelException.NotProcessed("connection to " + describePeer() + " " + why, null));
    }
    int streamId = nextStreamId;
    nextStreamId += 2;
    if (streamId < 0) {
      closeWhenIdle();
      return promise.setFailure(
          new TunnelException.NotProcessed(
              "connection to " + describePeer() + " has used all stream numbers", null));
    }
    ChannelFuture written =
        encoder()
            .writeHeaders(
                context(),
                streamId,
                ConnectHeaders.request(authority, headers),
                0,
                false,
                context().newPromise());
    Http2Stream stream = connection().stream(streamId);
    if (stream == null || (written.isDone() && !written.isSuccess())) {
      if (stream != null) {
        stream.close();
      }
      return promise.setFailure(
          new TunnelException.NotProcessed(
              "CONNECT to " + authority + " could not be sent to " + describePeer(),
              written.cause()));
    }
    events(stream, new PendingOpen(this, stream, authority, initializer, written, promise));
    requestFlush();
    return promise;
  }

  @Override
  public void closeWhenIdle() {
    closeWhenIdle = true;
    closeIfIdle();
  }

  @Override
  public void closeNow() {
    farewell().now("closed by us");
  }

  /** The pool learns that this connection takes no more tunnels, and makes a fresh one. */
  @Override
  public void retire() {
    closeWhenIdle();
    onChange();
  }

  private void closeIfIdle() {
    if ((closeWhenIdle || goAwayReceived) && activeStreams() == 0) {
      farewell().afterPeer(goAwayReceived ? "the peer sent GOAWAY" : "closed when idle");
    }
  }

  /** False for streams above the last one that the peer's GOAWAY lets us hope for. */
  boolean mayHaveProcessed(int streamId) {
    return streamId <= lastProcessed;
  }

  @Override
  void onNewStream(Http2Stream stream, Http2Headers headers, boolean end) {
    // A server cannot open streams: push is disabled, and Netty refuses it.
  }

  @Override
  void onPeerSettings() {
    if (!peerSettled) {
      peerSettled = true;
      if (!settled.trySuccess(this)) {
        closeNow();
      }
    }
  }

  /** Netty closes the streams above the last one after this, which fails their opens. */
  @Override
  void onGoAway(int lastStreamId) {
    goAwayReceived = true;
    lastProcessed = Math.min(lastProcessed, lastStreamId);
  }

  @Override
  void onChange() {
    listener.run();
    closeIfIdle();
  }

  @Override
  void onGone() {
    settled.tryFailure(end().lost());
    closed.trySuccess(null);
    listener.run();
  }

  @Override
  void onPingAnswer(long mark) {}
}
