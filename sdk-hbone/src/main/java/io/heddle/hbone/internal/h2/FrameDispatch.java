// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings each frame of a connection to the stream it belongs to, and counts what a peer must not do
 * too often.
 */
final class FrameDispatch extends Http2EventAdapter {
  private final TunnelConnection connection;
  private final PeerLimits limits;

  FrameDispatch(TunnelConnection connection, PeerLimits limits) {
    this.connection = connection;
    this.limits = limits;
  }

  private @Nullable Http2Stream stream(int streamId) {
    return connection.connection().stream(streamId);
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean end)
      throws Http2Exception {
    limits.countData(data.readableBytes() + padding, end);
    StreamEvents events = connection.events(stream(streamId));
    if (events == null) {
      return data.readableBytes() + padding;
    }
    int done = events.onData(data) + padding;
    if (end) {
      events.onEnd();
    }
    return done;
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int streamId,
      Http2Headers headers,
      int dependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean end)
      throws Http2Exception {
    onHeadersRead(ctx, streamId, headers, padding, end);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean end)
      throws Http2Exception {
    Http2Stream stream = stream(streamId);
    StreamEvents events = connection.events(stream);
    if (events != null) {
      events.onHeaders(headers, end);
    } else if (stream != null) {
      connection.onNewStream(stream, headers, end);
    }
  }

  @Override
  public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long code)
      throws Http2Exception {
    StreamEvents events = connection.events(stream(streamId));
    if (connection.isServer() && !wasUsed(events)) {
      limits.countReset();
    }
    if (events != null) {
      events.onReset(code);
    }
  }

  /**
   * What costs a server much and its peer nothing are streams opened and reset in one go. A tunnel
   * that carried something is not one of them, however often tunnels are cut on a busy connection;
   * nor is anything that a server does to the streams of its client.
   */
  private static boolean wasUsed(@Nullable StreamEvents events) {
    return events instanceof StreamTunnel tunnel && tunnel.hasReceived();
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings peerSettings)
      throws Http2Exception {
    limits.countControlFrame(ctx.channel().isWritable());
    connection.onPeerSettings();
    connection.onChange();
  }

  @Override
  public void onSettingsAckRead(ChannelHandlerContext ctx) {
    connection.onSettingsAnswered();
  }

  @Override
  public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
    limits.countControlFrame(ctx.channel().isWritable());
  }

  @Override
  public void onPingAckRead(ChannelHandlerContext ctx, long data) {
    connection.onPingAnswered(data);
  }

  @Override
  public void onGoAwayRead(
      ChannelHandlerContext ctx, int lastStreamId, long code, ByteBuf debugData) {
    connection.onPeerGoAway(lastStreamId, code);
  }
}
