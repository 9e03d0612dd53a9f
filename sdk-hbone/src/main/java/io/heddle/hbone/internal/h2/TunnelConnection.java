// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.netty.handler.codec.http2.Http2Error.NO_ERROR;
import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;
import static io.netty.handler.codec.http2.Http2Error.STREAM_CLOSED;
import static io.netty.handler.codec.http2.Http2Exception.connectionError;

import io.heddle.hbone.HboneSettings;
import io.heddle.identity.PeerSvid;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP/2 handler of one connection, in either role. It dispatches frames to the {@link
 * StreamEvents} of their streams, keeps the connection alive, and ends it. Tunnels never flush the
 * connection themselves: its {@link Turn} does, for all of them. Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Failed writes show as the end of the connection.
abstract class TunnelConnection extends Http2ConnectionHandler implements ConnectionAge.Watched {
  private static final Logger logger = LoggerFactory.getLogger(TunnelConnection.class);

  private final Environment environment;
  private final PeerSvid peer;
  private final String description;
  private final ConnectionEnd end;
  private final Farewell farewell = new Farewell(this);
  private final PeerLimits limits;
  private final RoundTrip roundTrip = new RoundTrip();
  private final Http2Connection.PropertyKey eventsKey;
  private final Turn turn = new Turn();
  private final Runnable flushTask = this::flushNow;
  private final RecordWriter records = new RecordWriter();

  private @Nullable ChannelHandlerContext context;
  private @Nullable DataFrames frames;
  private @Nullable ReceiveWindows receiveWindows;
  private @Nullable Keepalive keepalive;
  private @Nullable ConnectionAge age;
  private long startedNanos;

  TunnelConnection(
      Http2Codec codec, Environment environment, PeerSvid peer, String remote, PeerLimits limits) {
    super(codec.decoder(), codec.encoder(), codec.initialSettings(), true, false);
    this.limits = limits;
    this.environment = environment;
    this.peer = peer;
    this.description = remote + " (" + peer.id() + ")";
    this.end = new ConnectionEnd(description);
    this.eventsKey = connection().newKey();
    codec.decoder().frameListener(new FrameDispatch(this, limits));
    connection().addListener(new Streams());
  }

  // What a role adds.

  /** A header block without a known stream behind it, or the first on a stream of the peer. */
  abstract void onNewStream(Http2Stream stream, Http2Headers headers, boolean end)
      throws Http2Exception;

  abstract void onPeerSettings();

  abstract void onGoAway(int lastStreamId);

  /** A stream ended, the peer changed its limit, or the connection changed its state. */
  abstract void onChange();

  abstract void onGone();

  // What streams ask.

  final PeerSvid peer() {
    return peer;
  }

  final HboneSettings settings() {
    return environment.settings();
  }

  @Override
  public final void expired(ConnectionAge.Terms terms) {
    new Expiry(this, terms).apply(settings().expiredTunnels());
  }

  final boolean isServer() {
    return connection().isServer();
  }

  final ChannelHandlerContext context() {
    ChannelHandlerContext ctx = context;
    if (ctx == null) {
      throw new IllegalStateException("not in a pipeline yet");
    }
    return ctx;
  }

  final Channel channel() {
    return context().channel();
  }

  /** Belongs into the pipeline, between TLS and this handler. */
  final RecordWriter records() {
    return records;
  }

  final DataFrames frames() {
    DataFrames current = frames;
    if (current == null) {
      throw new IllegalStateException("not in a pipeline yet");
    }
    return current;
  }

  final int maxFrameBytes() {
    return encoder().configuration().frameSizePolicy().maxFrameSize();
  }

  final String describePeer() {
    return description;
  }

  final void events(Http2Stream stream, StreamEvents events) {
    stream.setProperty(eventsKey, events);
  }

  final @Nullable StreamEvents events(@Nullable Http2Stream stream) {
    return stream == null ? null : stream.getProperty(eventsKey);
  }

  final void touched(StreamEvents events) {
    turn.touched(events);
  }

  final void ready(StreamTunnel tunnel) {
    turn.ready(tunnel);
    requestFlush();
  }

  final void takeOutputNow(StreamTunnel tunnel) {
    tunnel.announce();
    try {
      encoder().flowController().writePendingBytes();
    } catch (Http2Exception e) {
      onError(context(), true, e);
    }
    requestFlush();
  }

  /** A tunnel's stream is over, but not everything that arrived on it is read. */
  final void leftUnread(Channel tunnel) {
    environment.unread().add(tunnel);
  }

  final ReceiveWindow receiveWindow(Http2Stream stream) {
    ReceiveWindows current = receiveWindows;
    if (current == null) {
      throw new IllegalStateException("not in a pipeline yet");
    }
    return current.of(stream);
  }

  final void consumed(Http2Stream stream, ReceiveWindow window, int bytes) {
    try {
      boolean grown = window.drained(bytes);
      if (connection().local().flowController().consumeBytes(stream, bytes) || grown) {
        requestFlush();
      }
    } catch (Http2Exception e) {
      onError(context(), false, e);
    }
  }

  final void closeOutput(Http2Stream stream) {
    closeStreamLocal(stream, context().newSucceededFuture());
  }

  /** Cuts a stream at once: frames of the peer that are still on the way are then ignored. */
  final void reset(Http2Stream stream, Http2Error code) {
    if (!stream.isResetSent() && stream.state() != Http2Stream.State.CLOSED) {
      stream.resetSent();
      frameWriter().writeRstStream(context(), stream.id(), code.code(), context().newPromise());
      requestFlush();
    }
    stream.close();
  }

  final void requestFlush() {
    turn.requestFlush(context().executor(), flushTask);
  }

  private void flushNow() {
    turn.flushBegins();
    flush(context());
  }

  @Override
  public final void flush(ChannelHandlerContext ctx) {
    turn.announceOutput();
    super.flush(ctx);
  }

  // The end.

  final boolean isClosing() {
    return farewell.hasBegun();
  }

  final Farewell farewell() {
    return farewell;
  }

  final ConnectionEnd end() {
    return end;
  }

  /** Netty's own bookkeeping of GOAWAY is avoided: it would ignore late streams without a word. */
  final void writeGoAway(int lastStreamId) {
    frameWriter()
        .writeGoAway(
            context(),
            lastStreamId,
            NO_ERROR.code(),
            Unpooled.EMPTY_BUFFER,
            context().newPromise());
  }

  final void stopTimers() {
    if (keepalive != null) {
      keepalive.stop();
    }
    if (age != null) {
      age.stop();
    }
  }

  private long now() {
    return context().executor().ticker().nanoTime();
  }

  // The handler.

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    context = ctx;
    frames = new DataFrames(ctx, records);
    startedNanos = now();
    keepalive =
        new Keepalive(
            ctx,
            encoder(),
            settings().pingInterval(),
            settings().pingTimeout(),
            roundTrip,
            () -> farewell.giveUp("no answer to PING for " + settings().pingTimeout()));
    receiveWindows =
        new ReceiveWindows(
            connection().local().flowController(),
            environment.receiveBudget(),
            roundTrip,
            ctx.executor().ticker(),
            settings());
    super.handlerAdded(ctx);
    if (ctx.channel().isActive()) {
      roundTrip.sent(now());
      // Only now: a WINDOW_UPDATE ahead of the preface would be taken for a broken one.
      int more = settings().connectionWindowBytes() - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
      connection()
          .local()
          .flowController()
          .incrementWindowSize(connection().connectionStream(), more);
      ctx.flush();
      keepalive.start();
      age = ConnectionAge.of(this, environment, ctx);
      age.start();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    turn.beginReading();
    super.channelRead(ctx, message);
    if (turn.isTimeToGoOn()) {
      turn.completeReads();
      flush(ctx);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    turn.completeReads();
    turn.endReading();
    discardSomeReadBytes();
    flush(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    farewell.overtaken();
    turn.completeReads();
    turn.endReading();
    end.log(Duration.ofNanos(now() - startedNanos), connection().numActiveStreams());
    super.channelInactive(ctx);
    records.end();
    onGone();
  }

  /** Nobody stands behind this handler: what happens to the connection ends here. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) != null) {
      super.exceptionCaught(ctx, cause);
      return;
    }
    end.error(cause);
    ctx.close();
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      @Nullable Http2Exception http2Ex) {
    farewell.overtaken();
    if (http2Ex != null) {
      end.suspect("HTTP/2 error", http2Ex);
    } else {
      end.suspect("it could not be written to", cause);
    }
    super.onConnectionError(ctx, outbound, cause, http2Ex);
    onChange();
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      Http2Exception.StreamException error) {
    logger.debug("{}: {}", describePeer(), error.getMessage());
    if (isOursToOpen(error.streamId())) {
      // RFC 9113 section 5.1, idle: its reset would go before the HEADERS that open it.
      Http2Exception broken =
          connectionError(PROTOCOL_ERROR, error, "Frame on stream %d, not open", error.streamId());
      onConnectionError(ctx, outbound, broken, broken);
      return;
    }
    if (error.error() == STREAM_CLOSED && connection().stream(error.streamId()) == null) {
      // Sent before the peer knew that the stream was cut, as a bulk transfer always is. An answer
      // to each would look like a flood of resets over there (RFC 9113 section 5.1, closed).
      return;
    }
    try {
      limits.countReset();
    } catch (Http2Exception tooMany) {
      onConnectionError(ctx, outbound, tooMany, tooMany);
      return;
    }
    StreamEvents events = events(connection().stream(error.streamId()));
    super.onStreamError(ctx, outbound, cause, error);
    if (events != null) {
      events.onStreamError(error);
    }
  }

  private boolean isOursToOpen(int streamId) {
    return connection().local().isValidStreamId(streamId)
        && !connection().streamMayHaveExisted(streamId);
  }

  private final class Streams extends Http2ConnectionAdapter {
    @Override
    public void onStreamClosed(Http2Stream stream) {
      StreamEvents events = events(stream);
      if (events != null) {
        events.onClosed();
      }
      onChange();
    }
  }

  final void onSettingsAnswered() {
    roundTrip.answered(now());
  }

  final void onPingAnswered(long mark) {
    if (keepalive != null) {
      keepalive.answered(mark);
    }
    onPingAnswer(mark);
  }

  final void onPeerGoAway(int lastStreamId, long code) {
    if (code == NO_ERROR.code()) {
      end.isOrderly();
    }
    end.suspect("the peer sent GOAWAY " + code, null);
    if (!farewell.answered()) {
      onGoAway(lastStreamId);
      onChange();
    }
  }

  /** An answer to a PING other than keepalive's. */
  abstract void onPingAnswer(long mark);
}
