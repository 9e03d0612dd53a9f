// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.netty.handler.codec.http2.Http2Error.CONNECT_ERROR;
import static io.netty.handler.codec.http2.Http2Error.NO_ERROR;
import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;
import static io.netty.handler.codec.http2.Http2Error.REFUSED_STREAM;

import io.heddle.hbone.Authority;
import io.heddle.hbone.internal.h2.ConnectHeaders.Request;
import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.identity.PeerSvid;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's role: checks CONNECTs, hands the good ones to the acceptor, and drains. */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class ServerTunnels extends TunnelConnection {
  private static final Logger logger = LoggerFactory.getLogger(ServerTunnels.class);

  /** Marks the PING whose answer proves that the peer has read the first GOAWAY. */
  private static final long DRAIN_MARK = 0x647261696e696e67L;

  private static final int ANY_STREAM = Integer.MAX_VALUE;

  private final TunnelAcceptor acceptor;
  private final EventLoop eventLoop;
  private final InetSocketAddress remoteAddress;
  private final InetSocketAddress localAddress;
  private final Runnable onGone;
  private @Nullable Future<?> settingsDeadline;
  private @Nullable Authority lastAuthority;
  private boolean draining;
  private boolean refusing;
  private boolean peerLeaves;

  ServerTunnels(
      Environment environment,
      PeerSvid peer,
      InetSocketAddress remoteAddress,
      InetSocketAddress localAddress,
      EventLoop eventLoop,
      TunnelAcceptor acceptor,
      Runnable onGone) {
    super(
        Http2Codec.server(environment.settings()),
        environment,
        peer,
        remoteAddress.toString(),
        new PeerLimits(eventLoop.ticker(), environment.settings().maxStreamsServed()));
    this.acceptor = acceptor;
    this.eventLoop = eventLoop;
    this.remoteAddress = remoteAddress;
    this.localAddress = localAddress;
    this.onGone = onGone;
    this.settingsDeadline =
        eventLoop.schedule(
            () -> farewell().now("no SETTINGS within " + settings().settingsTimeout()),
            settings().settingsTimeout().toNanos(),
            TimeUnit.NANOSECONDS);
  }

  EventLoop eventLoop() {
    return eventLoop;
  }

  InetSocketAddress remoteAddress() {
    return remoteAddress;
  }

  InetSocketAddress localAddress() {
    return localAddress;
  }

  @Override
  void onNewStream(Http2Stream stream, Http2Headers headers, boolean end) {
    if (refusing) {
      reset(stream, REFUSED_STREAM);
      return;
    }
    Request request = ConnectHeaders.read(headers);
    if (request instanceof Request.Connect connect) {
      accept(stream, connect, end);
    } else if (request instanceof Request.Unserved unserved) {
      logger.debug("{} asked for what is not served: {}", describePeer(), unserved.why());
      answer(stream, unserved.status());
    } else if (request instanceof Request.Malformed malformed) {
      logger.debug("{} sent a malformed request: {}", describePeer(), malformed.why());
      reset(stream, PROTOCOL_ERROR);
    }
  }

  private void accept(Http2Stream stream, Request.Connect connect, boolean end) {
    InboundRequest request =
        new InboundRequest(this, stream, shared(connect.authority()), connect.headers());
    events(stream, request);
    if (end) {
      request.onEnd();
    }
    try {
      acceptor.onConnect(request);
    } catch (RuntimeException e) {
      logger.error("the acceptor failed on a CONNECT to {}", connect.authority(), e);
      if (!request.isAnswered()) {
        request.refuse(503);
      }
    }
  }

  /** Most tunnels of a connection lead to one place, and then keep one value of it. */
  private Authority shared(Authority authority) {
    Authority last = lastAuthority;
    if (last != null && last.equals(authority)) {
      return last;
    }
    lastAuthority = authority;
    return authority;
  }

  /** Status only, END_STREAM, and no interest in what the peer still has to say. */
  void answer(Http2Stream stream, int status) {
    boolean peerMaySend = stream.state().remoteSideOpen();
    encoder()
        .writeHeaders(
            context(),
            stream.id(),
            ConnectHeaders.refused(status),
            0,
            true,
            context().newPromise());
    if (peerMaySend) {
      reset(stream, NO_ERROR);
    } else {
      // Not only when the answer is flushed: the stream would be half closed until then.
      stream.close();
    }
    requestFlush();
  }

  /**
   * Two GOAWAYs (RFC 9113 section 6.8): the first stops the peer from opening more, the second,
   * after a round trip, names the last stream; what still comes after it was never processed.
   */
  void drain(String reason) {
    if (!draining && !isClosing()) {
      draining = true;
      end().expect(reason);
      writeGoAway(ANY_STREAM);
      encoder().writePing(context(), false, DRAIN_MARK, context().newPromise());
      flush(context());
    }
  }

  @Override
  public void retire() {
    drain("it had reached its age");
  }

  @Override
  void onPingAnswer(long mark) {
    if (mark == DRAIN_MARK && draining && !refusing) {
      refusing = true;
      writeGoAway(connection().remote().lastStreamCreated());
      requestFlush();
      closeIfDrained();
    }
  }

  private void closeIfDrained() {
    if (refusing && connection().numActiveStreams() == 0) {
      farewell().afterPeer("drained");
    }
  }

  /** The end of a drain's patience: cuts what is still open, so that each peer knows it. */
  void cut() {
    end().expect("the time to drain is over");
    for (Http2Stream stream : OpenStreams.of(connection())) {
      reset(stream, CONNECT_ERROR);
    }
    farewell().now("the time to drain is over");
  }

  @Override
  void onPeerSettings() {
    if (settingsDeadline != null) {
      settingsDeadline.cancel(false);
      settingsDeadline = null;
    }
  }

  @Override
  void onGoAway(int lastStreamId) {
    // A client that sends GOAWAY opens nothing more; its tunnels run on, and it waits for our end.
    peerLeaves = true;
  }

  @Override
  void onChange() {
    closeIfDrained();
    if (peerLeaves && connection().numActiveStreams() == 0) {
      farewell().now("the peer sent GOAWAY");
    }
  }

  @Override
  void onGone() {
    onPeerSettings();
    onGone.run();
  }
}
