// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.netty.handler.codec.http2.Http2Error.CANCEL;
import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;
import static io.netty.handler.codec.http2.Http2Error.REFUSED_STREAM;
import static io.netty.handler.codec.http2.Http2Exception.streamError;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.Tunnel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A CONNECT that waits for its answer. */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class PendingOpen implements StreamEvents {
  private final ClientTunnels connection;
  private final Http2Stream stream;
  private final Authority authority;
  private final ChannelHandler initializer;
  private final ChannelFuture written;
  private final Promise<Tunnel> promise;
  private final Future<?> deadline;

  PendingOpen(
      ClientTunnels connection,
      Http2Stream stream,
      Authority authority,
      ChannelHandler initializer,
      ChannelFuture written,
      Promise<Tunnel> promise) {
    this.connection = connection;
    this.stream = stream;
    this.authority = authority;
    this.initializer = initializer;
    this.written = written;
    this.promise = promise;
    Duration timeout = connection.settings().responseTimeout();
    this.deadline =
        connection
            .eventLoop()
            .schedule(() -> timeOut(timeout), timeout.toNanos(), TimeUnit.NANOSECONDS);
    promise.addListener(
        done -> {
          if (done.isCancelled()) {
            connection.eventLoop().execute(this::cut);
          }
        });
  }

  @Override
  public void onHeaders(Http2Headers headers, boolean end) throws Http2Exception {
    CharSequence status = headers.status();
    if (HttpStatusClass.valueOf(status) == HttpStatusClass.INFORMATIONAL && !end) {
      return;
    }
    if (status == null || status.length() != 3 || HttpStatusClass.valueOf(status) == null) {
      throw streamError(stream.id(), PROTOCOL_ERROR, "Answer to CONNECT without a valid :status");
    }
    deadline.cancel(false);
    if (ConnectHeaders.OK.contentEquals(status)) {
      open(headers, end);
    } else {
      refuse(statusOf(status), end);
    }
  }

  private int statusOf(CharSequence status) throws Http2Exception {
    try {
      return Integer.parseInt(status, 0, status.length(), 10);
    } catch (NumberFormatException e) {
      throw streamError(stream.id(), PROTOCOL_ERROR, "Answer to CONNECT without a valid :status");
    }
  }

  private void open(Http2Headers headers, boolean end) {
    if (promise.isDone()) {
      cut();
      return;
    }
    StreamTunnel tunnel =
        new StreamTunnel(connection, stream, authority, ConnectHeaders.responseBaggage(headers));
    connection.events(stream, tunnel);
    tunnel.channel().pipeline().addLast(initializer);
    tunnel.channel().open(connection.eventLoop());
    if (!promise.trySuccess(tunnel.channel())) {
      tunnel.channel().close();
    } else if (end) {
      tunnel.onEnd();
    }
  }

  private void refuse(int status, boolean end) {
    fail(
        new TunnelException.Refused(
            status,
            connection.describePeer()
                + " refused a tunnel to "
                + authority
                + ": "
                + meaning(status)));
    if (end) {
      // Ending our half too is cheaper for the peer than a reset, which it may be counting.
      connection.frames().writeEnd(stream.id());
      connection.closeOutput(stream);
      connection.requestFlush();
    } else {
      connection.reset(stream, CANCEL);
    }
  }

  private static String meaning(int status) {
    return switch (TunnelException.Refused.Kind.of(status)) {
      case DENIED -> status + ", an authorization policy there denies this caller";
      case BAD_REQUEST -> status + ", it does not serve this address";
      case UNAVAILABLE -> status + ", it could not reach the application";
      case OTHER -> String.valueOf(status);
    };
  }

  @Override
  public int onData(ByteBuf data) throws Http2Exception {
    throw streamError(stream.id(), PROTOCOL_ERROR, "DATA before the answer to CONNECT");
  }

  @Override
  public void onEnd() {}

  @Override
  public void onReadComplete() {}

  @Override
  public void onReset(long code) {
    if (code == REFUSED_STREAM.code()) {
      fail(new TunnelException.NotProcessed(what("was refused (REFUSED_STREAM)"), null));
    } else {
      Http2Error error = Http2Error.valueOf(code);
      fail(
          new TunnelException.Reset(
              code, what("was reset: " + (error == null ? "code " + code : error.name()))));
    }
  }

  @Override
  public void onStreamError(Http2Exception error) {
    fail(
        new TunnelException.Reset(
            error.error().code(), what("got an answer we cannot read: " + error.getMessage())));
  }

  @Override
  public void onClosed() {
    if (promise.isDone()) {
      deadline.cancel(false);
      return;
    }
    if (!connection.mayHaveProcessed(stream.id())) {
      fail(new TunnelException.NotProcessed(what("came after the peer's GOAWAY"), null));
    } else if (!written.isSuccess()) {
      fail(new TunnelException.NotProcessed(what("was not sent"), connection.end().lost()));
    } else {
      fail(connection.end().lost());
    }
  }

  private void timeOut(Duration timeout) {
    fail(
        new TunnelException.ConnectFailed(
            TunnelException.Phase.CONNECT_RESPONSE,
            what("was not answered within " + timeout),
            null));
    cut();
  }

  private void cut() {
    deadline.cancel(false);
    connection.reset(stream, CANCEL);
  }

  private void fail(TunnelException cause) {
    deadline.cancel(false);
    promise.tryFailure(cause);
  }

  private String what(String happened) {
    return "CONNECT to " + authority + " over " + connection.describePeer() + " " + happened;
  }
}
