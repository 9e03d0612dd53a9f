// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;
import static io.netty.handler.codec.http2.Http2Exception.streamError;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.identity.PeerSvid;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A CONNECT on its way to an answer. The tunnel exists already, closed to its user, so that bytes
 * of a hasty peer are kept within the window.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class InboundRequest implements StreamEvents, TunnelRequest {
  private final ServerTunnels connection;
  private final Http2Stream stream;
  private final TunnelHeaders headers;
  private final StreamTunnel tunnel;
  private final Promise<Void> cancelled;
  private boolean answered;

  InboundRequest(
      ServerTunnels connection, Http2Stream stream, Authority authority, TunnelHeaders headers) {
    this.connection = connection;
    this.stream = stream;
    this.headers = headers;
    this.tunnel = new StreamTunnel(connection, stream, authority, null);
    this.cancelled = connection.eventLoop().newPromise();
  }

  @Override
  public PeerSvid peer() {
    return connection.peer();
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return connection.remoteAddress();
  }

  @Override
  public InetSocketAddress localAddress() {
    return connection.localAddress();
  }

  @Override
  public Authority authority() {
    return tunnel.channel().authority();
  }

  @Override
  public TunnelHeaders headers() {
    return headers;
  }

  @Override
  public EventLoop eventLoop() {
    return connection.eventLoop();
  }

  @Override
  public Future<Void> cancelled() {
    return cancelled;
  }

  @Override
  public Tunnel accept(@Nullable String baggage, ChannelHandler initializer) {
    answerOnce();
    if (cancelled.isDone()) {
      return tunnel.channel();
    }
    cancelled.cancel(false);
    connection.events(stream, tunnel);
    connection
        .encoder()
        .writeHeaders(
            connection.context(),
            stream.id(),
            ConnectHeaders.accepted(baggage),
            0,
            false,
            connection.context().newPromise());
    connection.requestFlush();
    tunnel.channel().pipeline().addLast(initializer);
    tunnel.channel().open(connection.eventLoop());
    return tunnel.channel();
  }

  @Override
  public void refuse(int status) {
    if (status < 300 || status > 599) {
      throw new IllegalArgumentException("status: " + status + " (expected: 300 to 599)");
    }
    answerOnce();
    if (cancelled.isDone()) {
      return;
    }
    cancelled.cancel(false);
    connection.answer(stream, status);
    tunnel.abandon();
  }

  private void answerOnce() {
    if (!eventLoop().inEventLoop()) {
      throw new IllegalStateException("not on the event loop of the request");
    }
    if (answered) {
      throw new IllegalStateException("the request for " + authority() + " has its answer already");
    }
    answered = true;
  }

  boolean isAnswered() {
    return answered;
  }

  @Override
  public void onHeaders(Http2Headers block, boolean end) throws Http2Exception {
    throw streamError(stream.id(), PROTOCOL_ERROR, "HEADERS on a tunnel");
  }

  @Override
  public int onData(ByteBuf data) throws Http2Exception {
    return tunnel.onData(data);
  }

  @Override
  public void onEnd() {
    tunnel.onEnd();
  }

  @Override
  public void onReadComplete() {
    tunnel.onReadComplete();
  }

  @Override
  public void onReset(long code) {
    cancel();
  }

  @Override
  public void onStreamError(Http2Exception error) {
    cancel();
  }

  @Override
  public void onClosed() {
    cancel();
  }

  private void cancel() {
    if (!answered && !cancelled.isDone()) {
      tunnel.abandon();
      cancelled.trySuccess(null);
    }
  }
}
