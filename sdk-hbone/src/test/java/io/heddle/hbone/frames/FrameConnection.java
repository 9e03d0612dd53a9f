// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.frames;

import io.heddle.hbone.frames.Frame.ErrorCode;
import io.heddle.hbone.frames.Frame.Setting;
import io.heddle.hbone.frames.Frame.Type;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a frame peer. Blocking, for one test thread; a reader thread of its own takes
 * the frames off the wire and, unless told otherwise, acknowledges SETTINGS and PING.
 */
public final class FrameConnection implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Socket transport;
  private final Socket socket;
  private final DataInputStream in;
  private final HeaderBlock headerBlock = new HeaderBlock();
  private final Thread reader;

  // Guarded by this.
  private final List<Frame> unread = new ArrayList<>();
  private final List<Integer> openedStreams = new ArrayList<>();
  private boolean answerPings = true;
  private boolean acceptTunnels;
  private boolean creditData;
  private boolean mirrorEnds;
  private boolean keepFrames = true;
  private int unsettled;
  private boolean settingsSent;
  private boolean owesAck;
  private boolean ended;
  private @Nullable IOException failure;

  private FrameConnection(Socket transport, Socket socket, boolean server) throws IOException {
    this.transport = transport;
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.reader = new Thread(() -> read(server), "frames-" + socket.getPort());
    reader.setDaemon(true);
  }

  /** The accepting side: expects the client's preface. */
  static FrameConnection accepted(Socket transport, Socket socket) throws IOException {
    FrameConnection connection = new FrameConnection(transport, socket, true);
    connection.reader.start();
    return connection;
  }

  /** The connecting side: sends the preface; SETTINGS are the caller's first frame. */
  public static FrameConnection connected(Socket socket) throws IOException {
    FrameConnection connection = new FrameConnection(socket, socket, false);
    socket.getOutputStream().write(PREFACE);
    socket.getOutputStream().flush();
    connection.reader.start();
    return connection;
  }

  /** Empty for plain TCP. */
  public @Nullable SSLSocket tls() {
    return socket instanceof SSLSocket tls ? tls : null;
  }

  public Socket socket() {
    return socket;
  }

  public synchronized void ignorePings() {
    answerPings = false;
  }

  /** The same for streams after the first ones, which stay without an answer. */
  public synchronized void acceptTunnelsFrom(int n) {
    acceptTunnels = true;
    for (int i = n; i <= openedStreams.size(); i++) {
      sendStatus(openedStreams.get(i - 1), 200);
    }
  }

  /** From now on every request is answered with 200 as it comes, and still to be taken. */
  public void acceptTunnels() {
    acceptTunnelsFrom(1);
  }

  /** The newest stream that the other side opened. */
  public synchronized int lastStream() {
    return openedStreams.get(openedStreams.size() - 1);
  }

  /**
   * Behaves as a good server from now on: accepts tunnels, takes and credits what they carry, and
   * ends its half when the client has ended the other.
   */
  public synchronized void serve(int maxStreams) {
    keepFrames = false;
    creditData = true;
    mirrorEnds = true;
    acceptTunnels();
    sendSettings(Map.of(Setting.MAX_CONCURRENT_STREAMS, maxStreams));
  }

  // ---- sending

  public synchronized void send(Frame frame) {
    sendRaw(frame.wire());
    if (frame.is(Type.SETTINGS) && !frame.isAck()) {
      unsettled++;
      settingsSent = true;
      acknowledgeSettings();
    }
  }

  /** A connection starts with SETTINGS of one's own (RFC 9113 section 3.4). */
  private synchronized void acknowledgeSettings() {
    if (owesAck && settingsSent) {
      owesAck = false;
      send(Frame.settingsAck());
    }
  }

  public synchronized void sendRaw(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    } catch (IOException e) {
      throw new AssertionError("the other side is gone", e);
    }
  }

  public void sendSettings(Map<Setting, Integer> values) {
    send(Frame.settings(values));
  }

  /** Returns once the other side has taken the change over. */
  public void changeMaxStreams(int streams) throws InterruptedException {
    sendSettings(Map.of(Setting.MAX_CONCURRENT_STREAMS, streams));
    awaitSettled();
  }

  /** Waits until the other side has acknowledged all SETTINGS. */
  public synchronized void awaitSettled() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (unsettled > 0) {
      long left = deadline - System.nanoTime();
      if (ended || left <= 0) {
        throw new AssertionError("SETTINGS not acknowledged, got " + describe());
      }
      wait(left / 1_000_000 + 1);
    }
  }

  /** Returns once the other side has handled everything that was sent before. */
  public void roundTrip() throws InterruptedException {
    send(new Frame(Type.PING, 0, 0, new byte[8]));
    await("PING ACK", f -> f.is(Type.PING) && f.isAck());
  }

  public void sendStatus(int streamId, int status) {
    send(Frame.headers(streamId, false, ":status", Integer.toString(status)));
  }

  public void sendRefusal(int streamId, int status) {
    send(Frame.headers(streamId, true, ":status", Integer.toString(status)));
  }

  public void sendData(int streamId, String text, boolean endStream) {
    send(Frame.data(streamId, text.getBytes(StandardCharsets.US_ASCII), endStream));
  }

  public void sendReset(int streamId, ErrorCode code) {
    send(Frame.reset(streamId, code));
  }

  public void sendGoAway(int lastStreamId, ErrorCode code) {
    send(Frame.goAway(lastStreamId, code));
  }

  // ---- receiving

  /** Takes the first frame not yet taken that matches; others stay for later. */
  public Frame await(String what, Predicate<Frame> wanted) throws InterruptedException {
    Frame frame = poll(wanted, PATIENCE);
    if (frame == null) {
      throw new AssertionError("expected " + what + ", got " + describe());
    }
    return frame;
  }

  public Frame await(Type type) throws InterruptedException {
    return await(type.toString(), f -> f.is(type));
  }

  public Frame await(Type type, int streamId) throws InterruptedException {
    return await(type + " on " + streamId, f -> f.is(type) && f.streamId() == streamId);
  }

  /** The request that opens the next stream. */
  public Request awaitRequest() throws InterruptedException {
    Frame frame = await(Type.HEADERS);
    return new Request(frame.streamId(), headerBlock.decode(frame.streamId(), frame.payload()));
  }

  /** The fields of a header block; blocks have to be decoded in the order they came. */
  public Map<String, String> fields(Frame headers) {
    return headerBlock.decode(headers.streamId(), headers.payload());
  }

  /** Header fields of a stream, as sent by the other side. */
  public record Request(int streamId, Map<String, String> fields) {}

  /** As {@link #await}, null when none came in time. */
  public synchronized @Nullable Frame poll(Predicate<Frame> wanted, Duration patience)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      for (Iterator<Frame> frames = unread.iterator(); frames.hasNext(); ) {
        Frame frame = frames.next();
        if (wanted.test(frame)) {
          frames.remove();
          return frame;
        }
      }
      long left = deadline - System.nanoTime();
      if (ended || left <= 0) {
        return null;
      }
      wait(left / 1_000_000 + 1);
    }
  }

  /** Fails if such a frame is there already or comes within the time. */
  public void expectNone(String what, Predicate<Frame> unwanted, Duration time)
      throws InterruptedException {
    Frame frame = poll(unwanted, time);
    if (frame != null) {
      throw new AssertionError("expected no " + what + ", got " + frame);
    }
  }

  /** Waits for the other side's n-th stream, counted from 1, and tells its id. */
  public synchronized int awaitStream(int n) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (openedStreams.size() < n) {
      long left = deadline - System.nanoTime();
      if (ended || left <= 0) {
        throw new AssertionError("no stream number " + n + ", got " + describe());
      }
      wait(left / 1_000_000 + 1);
    }
    return openedStreams.get(n - 1);
  }

  /** Waits for the other side's n-th stream; false when the connection ends before. */
  public synchronized boolean awaitStreamOrEnd(int n) throws InterruptedException {
    while (openedStreams.size() < n && !ended) {
      wait();
    }
    return openedStreams.size() >= n;
  }

  public synchronized int openedStreams() {
    return openedStreams.size();
  }

  /** Waits until the other side has closed, or broken, the connection. */
  public synchronized void awaitEnd() throws InterruptedException {
    if (!awaitEnd(PATIENCE)) {
      throw new AssertionError("still open, got " + describe());
    }
  }

  public synchronized boolean awaitEnd(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!ended) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      wait(left / 1_000_000 + 1);
    }
    return true;
  }

  /** Breaks the connection with a TCP reset and not a word of TLS or HTTP/2. */
  public void vanish() throws IOException {
    transport.setSoLinger(true, 0);
    transport.close();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException ignored) {
      // Closing twice, or closing what the other side has reset: both leave it closed.
    }
  }

  private synchronized String describe() {
    return unread + (ended ? ", then the end" : "") + (failure == null ? "" : " by " + failure);
  }

  private void read(boolean expectPreface) {
    try {
      if (expectPreface) {
        byte[] preface = in.readNBytes(PREFACE.length);
        if (!Arrays.equals(preface, PREFACE)) {
          throw new IOException("no HTTP/2 preface but " + preface.length + " bytes");
        }
      }
      while (true) {
        received(readFrame());
      }
    } catch (IOException e) {
      synchronized (this) {
        ended = true;
        failure = e;
        notifyAll();
      }
    }
  }

  private Frame readFrame() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int code = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int streamId = in.readInt() & Integer.MAX_VALUE;
    byte[] payload = in.readNBytes(length);
    if (payload.length < length) {
      throw new EOFException("in the middle of a frame");
    }
    Type type = code < Type.UNKNOWN.ordinal() ? Type.values()[code] : Type.UNKNOWN;
    return new Frame(type, flags, streamId, payload);
  }

  private void received(Frame frame) throws IOException {
    if (frame.is(Type.HEADERS) && (frame.flags() & Frame.END_HEADERS) == 0) {
      received(joined(frame));
      return;
    }
    synchronized (this) {
      boolean request = frame.is(Type.HEADERS) && isNew(frame.streamId());
      if (request) {
        openedStreams.add(frame.streamId());
      }
      if (frame.is(Type.SETTINGS) && frame.isAck()) {
        unsettled--;
      } else if (keepFrames || frame.is(Type.PING)) {
        unread.add(frame);
      }
      notifyAll();
      answer(frame, request);
    }
  }

  /** Streams are opened in the order of their numbers (RFC 9113 section 5.1.1). */
  private boolean isNew(int streamId) {
    return openedStreams.isEmpty() || streamId > openedStreams.get(openedStreams.size() - 1);
  }

  private void answer(Frame frame, boolean request) {
    try {
      if (frame.is(Type.SETTINGS) && !frame.isAck()) {
        owesAck = true;
        acknowledgeSettings();
      } else if (frame.is(Type.PING) && !frame.isAck() && answerPings) {
        send(Frame.pingAck(frame));
      } else if (request && acceptTunnels) {
        sendStatus(frame.streamId(), 200);
      } else if (frame.is(Type.DATA) && creditData && frame.payload().length > 0) {
        send(Frame.windowUpdate(0, frame.payload().length));
        send(Frame.windowUpdate(frame.streamId(), frame.payload().length));
      }
      if (mirrorEnds && frame.is(Type.DATA) && frame.endsStream()) {
        sendData(frame.streamId(), "", true);
      }
    } catch (AssertionError gone) {
      // The other side closed meanwhile; the reader finds the end next.
    }
  }

  private Frame joined(Frame headers) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(headers.payload());
    Frame next;
    do {
      next = readFrame();
      block.writeBytes(next.payload());
    } while ((next.flags() & Frame.END_HEADERS) == 0);
    int flags = headers.flags() | Frame.END_HEADERS;
    return new Frame(Type.HEADERS, flags, headers.streamId(), block.toByteArray());
  }
}
