// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Frames of a peer that keeps to the rules, or does not, as the choices will have it. */
final class PeerFrames {
  private static final int[] STREAMS = {1, 3, 5, 7, 9, 2, 0, Integer.MAX_VALUE};

  private static final String[][] REQUESTS = {
    {":method", "CONNECT", ":authority", "10.0.0.5:8080"},
    {":method", "CONNECT", ":authority", "[2001:db8::7]:80", "baggage", "k8s.pod.name=a"},
    {":method", "CONNECT", ":authority", "web.shop:80", "forwarded", "for=\"1.2.3.4:5\";host=a"},
    {":method", "CONNECT", ":authority", "web"},
    {":method", "CONNECT", ":authority", "10.0.0.5:80", ":path", "/", ":scheme", "http"},
    {":method", "CONNECT", ":authority", ""},
    {":method", "GET", ":authority", "10.0.0.5:80", ":path", "/", ":scheme", "http"},
    {"trailer", "yes"},
  };

  private static final String[][] ANSWERS = {
    {":status", "200"},
    {":status", "200", "baggage", "k8s.pod.name=a"},
    {":status", "503"},
    {":status", "100"},
    {":status", "101"},
    {":status", "20x"},
    {":status", ""},
    {"trailer", "yes"},
  };

  private final Choices choices;
  private final boolean toServer;
  private final FrameWatch watch;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  PeerFrames(Choices choices, boolean toServer, FrameWatch watch) {
    this.choices = choices;
    this.toServer = toServer;
    this.watch = watch;
  }

  /** All that was added since the last call. */
  byte[] take() {
    byte[] bytes = out.toByteArray();
    out.reset();
    return bytes;
  }

  void preface() {
    if (toServer) {
      out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    settings();
  }

  void settings() {
    ByteBuffer payload = ByteBuffer.allocate(18);
    payload.putShort((short) 4).putInt(choices.oneOf(65_535, 0, 1, 1 << 20, -1));
    payload.putShort((short) 5).putInt(choices.oneOf(16_384, 1 << 20, 16_384, 1));
    payload.putShort((short) 3).putInt(choices.oneOf(100, 1, 0, 2));
    frame(Http2FrameTypes.SETTINGS, 0, 0, payload.array());
  }

  void settingsAck() {
    frame(Http2FrameTypes.SETTINGS, Http2Flags.ACK, 0, new byte[0]);
  }

  void headers() {
    int flags = choices.yes() ? Http2Flags.END_STREAM : 0;
    byte[] block = literals(choices.oneOf(toServer ? REQUESTS : ANSWERS));
    int streamId = streamId();
    if (choices.below(8) == 1) {
      int half = block.length / 2;
      frame(Http2FrameTypes.HEADERS, flags, streamId, Arrays.copyOf(block, half));
      byte[] rest = Arrays.copyOfRange(block, half, block.length);
      frame(Http2FrameTypes.CONTINUATION, Http2Flags.END_HEADERS, streamId, rest);
    } else {
      frame(Http2FrameTypes.HEADERS, flags | Http2Flags.END_HEADERS, streamId, block);
    }
  }

  /** HPACK (RFC 7541) as the choices will have it. */
  void anyHeaderBlock() {
    frame(Http2FrameTypes.HEADERS, choices.oneOf(4, 5, 0, 1), streamId(), choices.someBytes());
  }

  void data() {
    byte[] data = choices.filler();
    int flags = choices.yes() ? Http2Flags.END_STREAM : 0;
    int streamId = streamId();
    if (choices.below(8) == 1) {
      byte[] padded = new byte[Math.max(1, Math.min(data.length, 300))];
      padded[0] = (byte) choices.oneByte();
      frame(Http2FrameTypes.DATA, flags | Http2Flags.PADDED, streamId, padded);
      return;
    }
    int largest = 16_384;
    for (int from = 0; from < data.length - largest; from += largest) {
      frame(Http2FrameTypes.DATA, 0, streamId, new byte[largest]);
    }
    int last = data.length == 0 ? 0 : (data.length - 1) % largest + 1;
    frame(Http2FrameTypes.DATA, flags, streamId, new byte[last]);
  }

  void reset() {
    frame(Http2FrameTypes.RST_STREAM, 0, streamId(), ints(choices.below(16)));
  }

  void ping(long mark) {
    byte[] payload = ByteBuffer.allocate(8).putLong(mark).array();
    frame(Http2FrameTypes.PING, choices.yes() ? Http2Flags.ACK : 0, 0, payload);
  }

  void goAway() {
    int last = choices.oneOf(Integer.MAX_VALUE, 0, 1, 3, 5);
    frame(Http2FrameTypes.GO_AWAY, 0, 0, ints(last, choices.below(14)));
  }

  void windowUpdate() {
    int increment = choices.oneOf(65_535, 1, 1 << 20, 0, Integer.MAX_VALUE);
    frame(Http2FrameTypes.WINDOW_UPDATE, 0, streamId(), ints(increment));
  }

  void anyFrame() {
    frame(choices.below(12), choices.oneByte(), streamId(), choices.someBytes());
  }

  void garbage() {
    watch.windowsAreUnknown();
    out.writeBytes(choices.someBytes());
  }

  private int streamId() {
    return STREAMS[choices.below(STREAMS.length)];
  }

  private void frame(int type, int flags, int streamId, byte[] payload) {
    watch.peerSends(type, flags, streamId, payload);
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(streamId).put(payload);
    out.writeBytes(frame.array());
  }

  private static byte[] ints(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      buffer.putInt(value);
    }
    return buffer.array();
  }

  /** Literals without indexing (RFC 7541 section 6.2.2); all of these are short. */
  private static byte[] literals(String... namesAndValues) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      block.write(0);
      for (String text : Arrays.asList(namesAndValues[i], namesAndValues[i + 1])) {
        block.write(text.length());
        block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
    return block.toByteArray();
  }
}
