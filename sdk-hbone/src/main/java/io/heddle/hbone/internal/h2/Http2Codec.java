// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.HboneSettings;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;

/**
 * Netty's HTTP/2 parts, put together for the tunnels of one connection.
 *
 * @param decoder reads DATA as it arrives, see {@link StreamingFrameReader}
 * @param encoder shares the connection evenly among the streams that have something to write
 * @param initialSettings what we advertise
 */
record Http2Codec(
    Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings initialSettings) {
  /** A quantum below this turns concurrent bulk streams into small frames. */
  private static final int QUANTUM = 64 << 10;

  private static final float WINDOW_UPDATE_RATIO = 0.5f;

  static Http2Codec client(HboneSettings settings) {
    return create(false, settings, new Http2Settings().pushEnabled(false));
  }

  static Http2Codec server(HboneSettings settings) {
    Http2Settings initial = new Http2Settings().maxConcurrentStreams(settings.maxStreamsServed());
    Http2Codec codec = create(true, settings, initial);
    // In force at once; Netty would wait for the peer to acknowledge the settings.
    codec.encoder.connection().remote().maxActiveStreams(settings.maxStreamsServed());
    return codec;
  }

  private static Http2Codec create(boolean server, HboneSettings settings, Http2Settings initial) {
    Http2Connection connection = new DefaultHttp2Connection(server, 0);
    // The connection window is refilled as bytes come off the wire: a tunnel that nobody reads is
    // stopped by its own window, and takes no credit from the others.
    connection
        .local()
        .flowController(new DefaultHttp2LocalFlowController(connection, WINDOW_UPDATE_RATIO, true));
    UniformStreamByteDistributor distributor = new UniformStreamByteDistributor(connection);
    distributor.minAllocationChunk(QUANTUM);
    connection
        .remote()
        .flowController(new DefaultHttp2RemoteFlowController(connection, distributor));
    Http2ConnectionEncoder encoder =
        new DefaultHttp2ConnectionEncoder(
            connection,
            new DefaultHttp2FrameWriter((name, value) -> ConnectHeaders.isOfOneTunnel(name)));
    Http2ConnectionDecoder decoder =
        new DefaultHttp2ConnectionDecoder(
            connection, encoder, new StreamingFrameReader(settings.maxHeaderListBytes()));
    initial
        .initialWindowSize(settings.initialStreamWindowBytes())
        .maxFrameSize(settings.maxFrameBytes())
        .maxHeaderListSize(settings.maxHeaderListBytes());
    return new Http2Codec(decoder, encoder, initial);
  }
}
