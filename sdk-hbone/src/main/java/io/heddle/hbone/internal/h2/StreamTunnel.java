// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.netty.handler.codec.http2.Http2Error.CANCEL;
import static io.netty.handler.codec.http2.Http2Error.CONNECT_ERROR;
import static io.netty.handler.codec.http2.Http2Error.NO_ERROR;
import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;
import static io.netty.handler.codec.http2.Http2Exception.streamError;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.internal.channel.TunnelChannel;
import io.heddle.hbone.internal.channel.TunnelStream;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2RemoteFlowController.FlowControlled;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * One CONNECT stream with its channel: frames in become reads, flushed bytes become DATA frames.
 *
 * <p>To Netty's flow controller the stream has at most one frame queued, this object: its size is
 * the number of flushed bytes announced, and it takes them from the channel's outbound buffer only
 * when it is told to write. Thus nothing is copied into a second queue.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
final class StreamTunnel implements StreamEvents, TunnelStream, FlowControlled {
  private final TunnelConnection connection;
  private final Http2Stream stream;
  private final TunnelChannel channel;
  private final ReceiveWindow window;

  private int announced;
  private boolean queued;
  private boolean ready;
  private boolean touched;
  private boolean received;
  private boolean endSent;
  private boolean endReceived;
  private boolean closed;

  StreamTunnel(
      TunnelConnection connection,
      Http2Stream stream,
      Authority authority,
      @Nullable String responseBaggage) {
    this.connection = connection;
    this.stream = stream;
    this.window = connection.receiveWindow(stream);
    this.channel =
        new TunnelChannel(
            connection.channel(), stream.id(), this, connection.peer(), authority, responseBaggage);
  }

  TunnelChannel channel() {
    return channel;
  }

  /** The request came to nothing: drops what waits, and says no more on the stream. */
  void abandon() {
    closed = true;
    channel.abandon();
  }

  /** Whether the peer has sent anything on it. */
  boolean hasReceived() {
    return received;
  }

  // From the wire.

  @Override
  public void onHeaders(Http2Headers headers, boolean end) throws Http2Exception {
    // RFC 9113 section 8.5: on a connected stream only DATA and stream management frames.
    throw streamError(stream.id(), PROTOCOL_ERROR, "HEADERS on a tunnel");
  }

  @Override
  public int onData(ByteBuf data) throws Http2Exception {
    touch();
    int bytes = data.readableBytes();
    received = true;
    int done = channel.receive(data);
    window.received(bytes, done);
    return done;
  }

  @Override
  public void onEnd() {
    endReceived = true;
    touch();
    channel.receiveEnd();
  }

  private void touch() {
    if (!touched) {
      touched = true;
      connection.touched(this);
    }
  }

  @Override
  public void onReadComplete() {
    touched = false;
    channel.receiveComplete();
    leaveUnread();
  }

  /** Without a stream no connection knows the tunnel any more. */
  private void leaveUnread() {
    if (closed && channel.isOpen()) {
      connection.leftUnread(channel);
    }
  }

  @Override
  public void onReset(long code) {
    end();
    ChannelOutboundBuffer out = channel.flushed();
    boolean nothingWaits = out == null || out.totalPendingWriteBytes() == 0;
    if (endReceived && nothingWaits) {
      channel.outputRefused();
    } else {
      channel.fail(
          new TunnelException.Reset(
              code, "tunnel to " + describe() + " was reset by the peer: " + name(code)));
    }
    leaveUnread();
  }

  @Override
  public void onStreamError(Http2Exception error) {
    end();
    channel.fail(
        new TunnelException.Reset(
            error.error().code(),
            "tunnel to " + describe() + " was reset by us: " + error.getMessage()));
    leaveUnread();
  }

  /** Ends the tunnel from this side; what arrived before stays readable. */
  void cut(Http2Error code, TunnelException cause) {
    end();
    channel.fail(cause);
    leaveUnread();
    connection.reset(stream, code);
  }

  @Override
  public void onClosed() {
    boolean early = !closed && !(endSent && endReceived);
    end();
    if (early) {
      channel.fail(connection.end().lost());
      leaveUnread();
    }
  }

  private String describe() {
    return channel.authority() + " over " + connection.describePeer();
  }

  private static String name(long code) {
    Http2Error error = Http2Error.valueOf(code);
    return error == null ? "code " + code : error.name();
  }

  // From the channel.

  @Override
  public void consumed(int bytes) {
    if (closed) {
      window.drainedLate(bytes);
    } else if (bytes > 0) {
      connection.consumed(stream, window, bytes);
    }
  }

  @Override
  public void outputReady() {
    if (!ready && !closed) {
      ready = true;
      connection.ready(this);
    }
  }

  @Override
  public void takeOutputNow() {
    if (!closed) {
      connection.takeOutputNow(this);
    }
  }

  @Override
  public void channelClosed(Ending how) {
    window.readerGone();
    if (closed) {
      return;
    }
    if (how == Ending.CLEAN) {
      finishOutput();
      if (!closed) {
        // RFC 9113 section 8.1: a server that wants no more of the request says NO_ERROR.
        reset(connection.isServer() ? NO_ERROR : CANCEL);
      }
    } else {
      reset(how == Ending.RESET ? CONNECT_ERROR : CANCEL);
    }
  }

  private void finishOutput() {
    if (!endSent) {
      endSent = true;
      connection.frames().writeEnd(stream.id());
      connection.closeOutput(stream);
      connection.requestFlush();
    }
  }

  private void reset(Http2Error code) {
    end();
    connection.reset(stream, code);
  }

  private void end() {
    closed = true;
    window.streamClosed();
  }

  // For the flow controller.

  /** Called before the connection writes: tells the flow controller what waits here. */
  void announce() {
    ready = false;
    ChannelOutboundBuffer out = channel.flushed();
    if (queued || closed || endSent || out == null) {
      return;
    }
    int bytes = connection.frames().flushedBytes(out);
    if (bytes == 0) {
      DataFrames.remove(out, 0);
      if (!channel.outputEnding()) {
        return;
      }
    }
    announced = bytes;
    queued = true;
    connection.encoder().flowController().addFlowControlled(stream, this);
  }

  @Override
  public int size() {
    return announced;
  }

  @Override
  public void write(ChannelHandlerContext ctx, int allowedBytes) {
    ChannelOutboundBuffer out = channel.flushed();
    if (out == null || closed) {
      throw new IllegalStateException("a closed tunnel has nothing to write");
    }
    int left = Math.min(allowedBytes, announced);
    int largest = connection.maxFrameBytes();
    do {
      int bytes = Math.min(left, largest);
      boolean last = bytes == announced;
      if (bytes == 0 && !(last && channel.outputEnding())) {
        return;
      }
      announced -= bytes;
      left -= bytes;
      boolean mayEnd = last && channel.outputEnding();
      endSent = connection.frames().write(stream.id(), out, bytes, mayEnd);
      // Runs foreign code, which may close the tunnel: its buffer then has nothing for a frame.
      DataFrames.remove(out, bytes);
    } while (left > 0 && !closed);
  }

  @Override
  public void writeComplete() {
    queued = false;
    if (endSent) {
      connection.closeOutput(stream);
      channel.outputEnded();
    } else if (hasOutput()) {
      // Not announced from here: the flow controller still accounts for the frame it believes gone.
      outputReady();
    }
  }

  private boolean hasOutput() {
    ChannelOutboundBuffer out = channel.flushed();
    return out != null && (!out.isEmpty() || channel.outputEnding());
  }

  /** The stream was closed under the frame; {@link #onClosed} tells the channel. */
  @Override
  public void error(ChannelHandlerContext ctx, Throwable cause) {
    queued = false;
    announced = 0;
  }

  @Override
  public boolean merge(ChannelHandlerContext ctx, FlowControlled next) {
    return false;
  }
}
