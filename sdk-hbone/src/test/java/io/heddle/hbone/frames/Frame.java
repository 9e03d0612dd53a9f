// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.frames;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** One HTTP/2 frame (RFC 9113 section 4.1) as it is on the wire. */
public record Frame(Type type, int flags, int streamId, byte[] payload) {

  /** In DATA and HEADERS. */
  public static final int END_STREAM = 0x1;

  /** In SETTINGS and PING. */
  public static final int ACK = 0x1;

  /** In HEADERS and CONTINUATION. */
  public static final int END_HEADERS = 0x4;

  private static final byte[] EMPTY = {};

  /** Frame types, in the order of their codes. */
  public enum Type {
    DATA,
    HEADERS,
    PRIORITY,
    RST_STREAM,
    SETTINGS,
    PUSH_PROMISE,
    PING,
    GOAWAY,
    WINDOW_UPDATE,
    CONTINUATION,
    UNKNOWN
  }

  /** Error codes of RFC 9113 section 7, in the order of their codes. */
  public enum ErrorCode {
    NO_ERROR,
    PROTOCOL_ERROR,
    INTERNAL_ERROR,
    FLOW_CONTROL_ERROR,
    SETTINGS_TIMEOUT,
    STREAM_CLOSED,
    FRAME_SIZE_ERROR,
    REFUSED_STREAM,
    CANCEL,
    COMPRESSION_ERROR,
    CONNECT_ERROR,
    ENHANCE_YOUR_CALM,
    INADEQUATE_SECURITY,
    HTTP_1_1_REQUIRED
  }

  /** Settings of RFC 9113 section 6.5.2, by their codes less one. */
  public enum Setting {
    HEADER_TABLE_SIZE,
    ENABLE_PUSH,
    MAX_CONCURRENT_STREAMS,
    INITIAL_WINDOW_SIZE,
    MAX_FRAME_SIZE,
    MAX_HEADER_LIST_SIZE
  }

  public static Frame data(int streamId, byte[] bytes, boolean endStream) {
    return new Frame(Type.DATA, endStream ? END_STREAM : 0, streamId, bytes);
  }

  /** Header fields as literals without indexing, so that anything can be said. */
  public static Frame headers(int streamId, boolean endStream, String... namesAndValues) {
    int flags = END_HEADERS | (endStream ? END_STREAM : 0);
    return new Frame(Type.HEADERS, flags, streamId, HeaderBlock.encode(namesAndValues));
  }

  public static Frame reset(int streamId, ErrorCode code) {
    return new Frame(Type.RST_STREAM, 0, streamId, ints(code.ordinal()));
  }

  public static Frame settings(Map<Setting, Integer> values) {
    ByteBuffer payload = ByteBuffer.allocate(6 * values.size());
    values.forEach((name, value) -> payload.putShort((short) (name.ordinal() + 1)).putInt(value));
    return new Frame(Type.SETTINGS, 0, 0, payload.array());
  }

  public static Frame settingsAck() {
    return new Frame(Type.SETTINGS, ACK, 0, EMPTY);
  }

  public static Frame pingAck(Frame ping) {
    return new Frame(Type.PING, ACK, 0, ping.payload());
  }

  public static Frame goAway(int lastStreamId, ErrorCode code) {
    return new Frame(Type.GOAWAY, 0, 0, ints(lastStreamId, code.ordinal()));
  }

  public static Frame windowUpdate(int streamId, int increment) {
    return new Frame(Type.WINDOW_UPDATE, 0, streamId, ints(increment));
  }

  /** The frame with its header. */
  public byte[] wire() {
    ByteBuffer wire = ByteBuffer.allocate(9 + payload.length);
    wire.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    wire.put((byte) type.ordinal()).put((byte) flags).putInt(streamId);
    return wire.put(payload).array();
  }

  public boolean is(Type wanted) {
    return type == wanted;
  }

  public boolean isAck() {
    return (flags & ACK) != 0;
  }

  public boolean endsStream() {
    return (type == Type.DATA || type == Type.HEADERS) && (flags & END_STREAM) != 0;
  }

  /** Of RST_STREAM and GOAWAY. */
  public ErrorCode errorCode() {
    int at = type == Type.GOAWAY ? 4 : 0;
    return ErrorCode.values()[ByteBuffer.wrap(payload).getInt(at)];
  }

  /** Of SETTINGS. */
  public Map<Setting, Integer> settings() {
    Map<Setting, Integer> values = new LinkedHashMap<>();
    ByteBuffer buffer = ByteBuffer.wrap(payload);
    while (buffer.hasRemaining()) {
      int code = buffer.getShort() - 1;
      int value = buffer.getInt();
      if (code >= 0 && code < Setting.values().length) {
        values.put(Setting.values()[code], value);
      }
    }
    return values;
  }

  public String text() {
    return new String(payload, StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    String detail =
        switch (type) {
          case RST_STREAM, GOAWAY -> " " + errorCode();
          case SETTINGS -> isAck() ? " ACK" : " " + settings();
          default -> " length=" + payload.length;
        };
    return type + " stream=" + streamId + detail + (endsStream() ? " END_STREAM" : "");
  }

  private static byte[] ints(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      buffer.putInt(value);
    }
    return buffer.array();
  }
}
