// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what a connection writes, and notes every breach of HTTP/2. */
final class FrameWatch {
  private static final int PREFACE = 24;
  private static final int CONNECTION = 0;

  private final boolean fromClient;
  private final ByteArrayOutputStream unread = new ByteArrayOutputStream();
  private final List<String> breaches = new ArrayList<>();
  private final List<String> frames = new ArrayList<>();
  private final Map<Integer, State> streams = new HashMap<>();
  private final Map<Integer, Long> credit = new HashMap<>();
  private final Map<Integer, Long> sent = new HashMap<>();
  private long largestWindow = 65_535;
  private long largestFrame = 16_384;
  private boolean windowsKnown = true;
  private boolean prefaceRead;
  private boolean settingsRead;

  private enum State {
    OPEN,
    ENDED,
    RESET
  }

  FrameWatch(boolean fromClient) {
    this.fromClient = fromClient;
    credit.put(CONNECTION, 65_535L);
  }

  List<String> breaches() {
    return breaches;
  }

  /** All frames so far, to understand a breach. */
  List<String> frames() {
    return frames;
  }

  // What the peer grants.

  /** Bytes were sent that are not taken for frames here. */
  void windowsAreUnknown() {
    windowsKnown = false;
  }

  void peerSends(int type, int flags, int streamId, byte[] payload) {
    if (type == Http2FrameTypes.WINDOW_UPDATE && payload.length == 4) {
      long increment = ByteBuffer.wrap(payload).getInt() & 0x7fffffffL;
      credit.merge(streamId & Integer.MAX_VALUE, increment, Long::sum);
    } else if (type == Http2FrameTypes.SETTINGS && payload.length % 6 == 0) {
      ByteBuffer settings = ByteBuffer.wrap(payload);
      while (settings.hasRemaining()) {
        int name = settings.getShort();
        long value = settings.getInt() & 0xffffffffL;
        largestWindow = name == 4 ? Math.max(largestWindow, value) : largestWindow;
        largestFrame = name == 5 ? Math.max(largestFrame, value) : largestFrame;
      }
    }
  }

  // What the connection writes.

  void written(ByteBuf bytes) {
    byte[] copy = new byte[bytes.readableBytes()];
    bytes.getBytes(bytes.readerIndex(), copy);
    unread.writeBytes(copy);
  }

  /** Looks at all complete frames. */
  void read() {
    ByteBuffer bytes = ByteBuffer.wrap(unread.toByteArray());
    unread.reset();
    if (fromClient && !prefaceRead && bytes.remaining() >= PREFACE) {
      prefaceRead = true;
      bytes.position(PREFACE);
    }
    while (bytes.remaining() >= 9 && (prefaceRead || !fromClient)) {
      bytes.mark();
      int length = (bytes.get() & 0xff) << 16 | (bytes.getShort() & 0xffff);
      int type = bytes.get();
      int flags = bytes.get() & 0xff;
      int streamId = bytes.getInt();
      if (length > bytes.remaining()) {
        bytes.reset();
        break;
      }
      byte[] payload = new byte[length];
      bytes.get(payload);
      frame(type, flags, streamId, payload);
    }
    byte[] rest = new byte[bytes.remaining()];
    bytes.get(rest);
    unread.writeBytes(rest);
  }

  /** Nothing more will be written: half a frame would be one. */
  void over() {
    if (unread.size() > 0) {
      breaches.add("half a frame of " + unread.size() + " bytes at the end");
    }
  }

  private void frame(int type, int flags, int streamId, byte[] payload) {
    String what = "type " + type + " flags " + flags + " stream " + streamId + " " + payload.length;
    frames.add(what);
    check(streamId >= 0, "the reserved bit", what);
    check(payload.length <= largestFrame, "beyond the peer's frame size", what);
    check(settingsRead || type == Http2FrameTypes.SETTINGS, "before SETTINGS", what);
    settingsRead = true;
    switch (type) {
      case Http2FrameTypes.DATA -> data(flags, streamId, payload.length, what);
      case Http2FrameTypes.HEADERS -> headers(flags, streamId, what);
      case Http2FrameTypes.RST_STREAM -> {
        check(payload.length == 4 && streamId > 0, "form", what);
        streams.put(streamId, State.RESET);
      }
      case Http2FrameTypes.SETTINGS ->
          check(payload.length % 6 == 0 && streamId == 0, "form", what);
      case Http2FrameTypes.PING -> check(payload.length == 8 && streamId == 0, "form", what);
      case Http2FrameTypes.GO_AWAY -> check(payload.length >= 8 && streamId == 0, "form", what);
      case Http2FrameTypes.WINDOW_UPDATE -> {
        check(payload.length == 4 && ByteBuffer.wrap(payload).getInt() > 0, "form", what);
        check(streams.get(streamId) != State.RESET, "after the reset", what);
      }
      default -> check(false, "not a frame of ours", what);
    }
  }

  private void headers(int flags, int streamId, String what) {
    check(streamId % 2 == 1, "not a stream of the client", what);
    check((flags & Http2Flags.END_HEADERS) != 0, "split", what);
    // Netty forgets a stream that it resets before it is open: the peer may then open it again.
    State before = streams.get(streamId);
    check(before == null || before == State.RESET, "a second time", what);
    streams.put(streamId, ends(flags) ? State.ENDED : State.OPEN);
  }

  private void data(int flags, int streamId, int length, String what) {
    check(streams.get(streamId) == State.OPEN, "the stream is " + streams.get(streamId), what);
    check(length > 0 || ends(flags), "empty", what);
    if (ends(flags)) {
      streams.put(streamId, State.ENDED);
    }
    long onStream = sent.merge(streamId, (long) length, Long::sum);
    long onConnection = sent.merge(CONNECTION, (long) length, Long::sum);
    if (windowsKnown) {
      long granted = largestWindow + credit.getOrDefault(streamId, 0L);
      check(onStream <= granted, "beyond the stream's window", what);
      check(onConnection <= credit.get(CONNECTION), "beyond the connection's window", what);
    }
  }

  private static boolean ends(int flags) {
    return (flags & Http2Flags.END_STREAM) != 0;
  }

  private void check(boolean right, String rule, String what) {
    if (!right) {
      breaches.add(rule + ": " + what);
    }
  }
}
