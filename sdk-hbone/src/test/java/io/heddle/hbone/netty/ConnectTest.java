// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import static io.heddle.hbone.frames.Frame.Type.DATA;
import static io.heddle.hbone.frames.Frame.Type.GOAWAY;
import static io.heddle.hbone.frames.Frame.Type.HEADERS;
import static io.heddle.hbone.frames.Frame.Type.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.Frame.ErrorCode;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.rig.Await;
import io.heddle.hbone.rig.Recorder;
import io.heddle.hbone.rig.TunnelRig;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server takes for a CONNECT, on the wire. */
class ConnectTest {
  private static final String[] GOOD = {":method", "CONNECT", ":authority", "10.0.0.5:8080"};

  static Stream<Arguments> malformed() {
    return Stream.of(
        Arguments.of("with :scheme", with(GOOD, ":scheme", "https")),
        Arguments.of("with :path", with(GOOD, ":path", "/")),
        Arguments.of("without :authority", new String[] {":method", "CONNECT"}),
        Arguments.of("with an empty :authority", with(GOOD[0], GOOD[1], ":authority", "")),
        Arguments.of("with two :authority", with(GOOD, ":authority", "10.0.0.6:8080")),
        Arguments.of("with :protocol", with(GOOD, ":protocol", "websocket")),
        Arguments.of("without :method", new String[] {":authority", "10.0.0.5:8080"}),
        Arguments.of("with a pseudo-header after others", with("a", "b", GOOD)));
  }

  private static String[] with(String[] fields, String... more) {
    List<String> all = new ArrayList<>(List.of(fields));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static String[] with(String name, String value, String... more) {
    return with(new String[] {name, value}, more);
  }

  @ParameterizedTest(name = "B034 CONNECT {0} is a stream error, the connection stays")
  @MethodSource("malformed")
  void malformedConnect(String what, String[] fields) throws Exception {
    BlockingQueue<TunnelRequest> requests = new LinkedBlockingQueue<>();
    try (TunnelRig rig = TunnelRig.start(requests::add);
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, false, fields));
      assertThat(client.await(RST_STREAM, 1).payload())
          .isEqualTo(Frame.reset(1, ErrorCode.PROTOCOL_ERROR).payload());

      client.send(Frame.headers(3, false, GOOD));
      TunnelRequest request = requests.poll(20, TimeUnit.SECONDS);
      assertThat(request).isNotNull();
      assertThat(request.authority()).hasToString("10.0.0.5:8080");
      assertThat(requests).isEmpty();
    }
  }

  @Test
  @DisplayName("B034 a method other than CONNECT is answered 400 without a body")
  void otherMethod() throws Exception {
    try (TunnelRig rig = TunnelRig.start(request -> request.refuse(503));
        FrameConnection client = rig.rawClient()) {
      client.send(
          Frame.headers(
              1, true, ":method", "GET", ":scheme", "https", ":path", "/", ":authority", "x:1"));
      assertAnswer(client, 1, 400);
      client.roundTrip();
    }
  }

  @ParameterizedTest(name = "a GET without {0} is malformed, not just unserved")
  @ValueSource(strings = {":scheme", ":path"})
  void malformedOtherMethod(String missing) throws Exception {
    String present = missing.equals(":path") ? ":scheme" : ":path";
    try (TunnelRig rig = TunnelRig.start(request -> request.refuse(503));
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, true, ":method", "GET", present, "https", ":authority", "x:1"));
      assertThat(client.await(RST_STREAM, 1).payload())
          .isEqualTo(Frame.reset(1, ErrorCode.PROTOCOL_ERROR).payload());
      client.roundTrip();
    }
  }

  @Test
  @DisplayName("what comes with a request that is answered and over is discarded")
  void behindTheAnswer() throws Exception {
    try (TunnelRig rig = TunnelRig.start(request -> request.refuse(503));
        FrameConnection client = rig.rawClient()) {
      byte[] request = Frame.headers(1, true, GOOD).wire();
      byte[] more = Frame.data(1, new byte[10], true).wire();
      int length = request.length + more.length;
      client.sendRaw(ByteBuffer.allocate(length).put(request).put(more).array());
      assertAnswer(client, 1, 503);
      client.roundTrip();
      client.expectNone("RST_STREAM", frame -> frame.is(RST_STREAM), Duration.ZERO);
    }
  }

  @ParameterizedTest(name = "authority {0} is answered 400")
  @MethodSource("badAuthorities")
  void badAuthority(String authority) throws Exception {
    try (TunnelRig rig = TunnelRig.start(request -> request.refuse(503));
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, false, ":method", "CONNECT", ":authority", authority));
      assertAnswer(client, 1, 400);
      assertThat(client.await(RST_STREAM, 1).payload())
          .isEqualTo(Frame.reset(1, ErrorCode.NO_ERROR).payload());
    }
  }

  static Stream<String> badAuthorities() {
    return Stream.of("10.0.0.5", "2001:db8::7:8080", "10.0.0.5:0", "a".repeat(4096) + ":80");
  }

  private static void assertAnswer(FrameConnection client, int streamId, int status)
      throws InterruptedException {
    Frame answer = client.await(HEADERS, streamId);
    assertThat(answer.flags() & Frame.END_STREAM).isNotZero();
    assertThat(client.fields(answer).get(":status")).isEqualTo(Integer.toString(status));
  }

  @Test
  @DisplayName("INB-06 the answer carries baggage only when it accepts")
  void responseBaggage() throws Exception {
    try (TunnelRig rig =
            TunnelRig.start(
                request -> {
                  if (request.authority().port() == 1) {
                    request.accept("service.name=web", new Recorder());
                  } else if (request.authority().port() == 2) {
                    request.accept(null, new Recorder());
                  } else {
                    request.refuse(401);
                  }
                });
        FrameConnection client = rig.rawClient()) {
      for (int port = 1; port <= 3; port++) {
        client.send(
            Frame.headers(
                2 * port - 1, false, ":method", "CONNECT", ":authority", "10.0.0.5:" + port));
      }
      assertThat(client.fields(client.await(HEADERS, 1)))
          .containsEntry(":status", "200")
          .containsEntry("baggage", "service.name=web");
      assertThat(client.fields(client.await(HEADERS, 3)))
          .containsEntry(":status", "200")
          .doesNotContainKey("baggage");
      assertThat(client.fields(client.await(HEADERS, 5)))
          .containsEntry(":status", "401")
          .doesNotContainKey("baggage");
    }
  }

  @Test
  @DisplayName("INB-07 the request's headers reach the acceptor, unreadable ones do not")
  void requestHeaders() throws Exception {
    BlockingQueue<TunnelHeaders> seen = new LinkedBlockingQueue<>();
    try (TunnelRig rig =
            TunnelRig.start(
                request -> {
                  seen.add(request.headers());
                  request.refuse(503);
                });
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, false, GOOD));
      client.send(
          Frame.headers(
              3,
              false,
              with(
                  GOOD,
                  "baggage",
                  "service.name=a",
                  "forwarded",
                  "host=web",
                  "baggage",
                  "cloud.region=r",
                  "x-forwarded-network",
                  "",
                  "traceparent",
                  "ü")));

      assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(TunnelHeaders.NONE);
      assertThat(seen.poll(20, TimeUnit.SECONDS))
          .isEqualTo(new TunnelHeaders("service.name=a,cloud.region=r", "host=web", null, ""));
    }
  }

  @Test
  @DisplayName("B041 headers up to 64 KiB are accepted, in one line or in several")
  void largeHeaders() throws Exception {
    BlockingQueue<TunnelHeaders> seen = new LinkedBlockingQueue<>();
    try (TunnelRig rig =
            TunnelRig.start(
                request -> {
                  seen.add(request.headers());
                  request.refuse(503);
                });
        FrameConnection client = rig.rawClient()) {
      String line = "x".repeat(4096);
      client.send(
          Frame.headers(1, false, with(GOOD, "baggage", line, "baggage", line, "baggage", line)));
      assertThat(seen.poll(20, TimeUnit.SECONDS).baggage()).hasSize(3 * 4096 + 2);

      Frame large = Frame.headers(3, false, with(GOOD, "baggage", "y".repeat(60 << 10)));
      sendInPieces(client, large);
      assertThat(seen.poll(20, TimeUnit.SECONDS).baggage()).hasSize(60 << 10);

      sendInPieces(client, Frame.headers(5, false, with(GOOD, "baggage", "z".repeat(70 << 10))));
      assertThat(client.fields(client.await(HEADERS, 5)).get(":status")).isEqualTo("431");
      client.roundTrip();
    }
  }

  private static void sendInPieces(FrameConnection client, Frame headers) {
    int piece = 16_000;
    ByteBuffer block = ByteBuffer.wrap(headers.payload());
    Frame.Type type = HEADERS;
    while (block.hasRemaining()) {
      byte[] part = new byte[Math.min(piece, block.remaining())];
      block.get(part);
      int flags = block.hasRemaining() ? 0 : Frame.END_HEADERS;
      client.send(new Frame(type, flags, headers.streamId(), part));
      type = Frame.Type.CONTINUATION;
    }
  }

  @Test
  @DisplayName("B041 CONTINUATION without end is answered ENHANCE_YOUR_CALM before it costs memory")
  void continuationFlood() throws Exception {
    try (TunnelRig rig = TunnelRig.start(request -> request.refuse(503));
        FrameConnection client = rig.rawClient()) {
      client.roundTrip();
      client.send(new Frame(HEADERS, 0, 1, Frame.headers(1, false, GOOD).payload()));
      int sent = 0;
      try {
        byte[] literal = Frame.headers(1, false, "x", "y".repeat(8_000)).payload();
        for (; sent < 5 << 20; sent += literal.length) {
          client.send(new Frame(Frame.Type.CONTINUATION, 0, 1, literal));
        }
      } catch (AssertionError closedWhileSending) {
        assertThat(closedWhileSending).hasMessageContaining("gone");
      }
      ByteBuffer goAway = ByteBuffer.wrap(client.await(GOAWAY).payload());
      assertThat(goAway.getInt(4)).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM.ordinal());
      Await.until("the connection to be gone", () -> rig.server.connections() == 0);
    }
  }

  @Test
  @DisplayName("one stream more than advertised is refused, and may come again")
  void streamLimit() throws Exception {
    BlockingQueue<TunnelRequest> requests = new LinkedBlockingQueue<>();
    try (TunnelRig rig = TunnelRig.start(requests::add);
        FrameConnection client = rig.rawClient()) {
      Frame settings = client.await("SETTINGS", f -> f.is(Frame.Type.SETTINGS) && !f.isAck());
      assertThat(ByteBuffer.wrap(settings.payload()).getShort()).isEqualTo((short) 3);
      assertThat(ByteBuffer.wrap(settings.payload()).getInt(2)).isEqualTo(200);
      for (int i = 0; i < 201; i++) {
        client.send(Frame.headers(2 * i + 1, false, GOOD));
      }
      assertThat(client.await(RST_STREAM, 401).payload())
          .isEqualTo(Frame.reset(401, ErrorCode.REFUSED_STREAM).payload());
      Await.until("the others", () -> requests.size() == 200);
    }
  }

  @ParameterizedTest(name = "a request that is reset before the answer is cancelled, ended: {0}")
  @ValueSource(booleans = {false, true})
  void cancelledRequest(boolean ended) throws Exception {
    BlockingQueue<TunnelRequest> requests = new LinkedBlockingQueue<>();
    try (TunnelRig rig = TunnelRig.start(requests::add);
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, false, GOOD));
      TunnelRequest request = requests.poll(20, TimeUnit.SECONDS);
      client.sendData(1, "too early", ended);
      client.sendReset(1, ErrorCode.CANCEL);

      Await.get(request.cancelled());
      Recorder recorder = new Recorder();
      Tunnel tunnel = Await.get(request.eventLoop().submit(() -> request.accept(null, recorder)));
      assertThat(tunnel.isOpen()).isFalse();
      assertThat(recorder.active).isNotDone();
      CountDownLatch told = new CountDownLatch(1);
      tunnel.closeFuture().addListener(closed -> told.countDown());
      assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
      client.roundTrip();
    }
  }

  @ParameterizedTest(name = "nothing follows a refusal on its stream, ended before: {0}")
  @ValueSource(booleans = {false, true})
  void nothingAfterRefusal(boolean ended) throws Exception {
    try (TunnelRig rig = TunnelRig.start(request -> request.refuse(503));
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, ended, GOOD));

      assertThat(client.await(HEADERS, 1).endsStream()).isTrue();
      client.roundTrip();
      client.expectNone("DATA", frame -> frame.is(DATA), Duration.ofMillis(1));
    }
  }

  @Test
  @DisplayName("bytes that a hasty peer sends before the answer are delivered after it")
  void earlyBytes() throws Exception {
    BlockingQueue<TunnelRequest> requests = new LinkedBlockingQueue<>();
    try (TunnelRig rig = TunnelRig.start(requests::add);
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, false, GOOD));
      client.sendData(1, "early", true);
      client.roundTrip();
      TunnelRequest request = requests.poll(20, TimeUnit.SECONDS);
      Recorder recorder = new Recorder();
      Await.get(request.eventLoop().submit(() -> request.accept(null, recorder)));

      Await.get(recorder.ended);
      assertThat(recorder.text()).isEqualTo("early");
    }
  }

  @Test
  @DisplayName("an acceptor that throws refuses the request, and the next one is served")
  void throwingAcceptor() throws Exception {
    try (TunnelRig rig =
            TunnelRig.start(
                request -> {
                  throw new IllegalStateException("broken on purpose");
                });
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, false, GOOD));
      assertAnswer(client, 1, 503);
      client.send(Frame.headers(3, false, GOOD));
      assertThat(client.await(HEADERS, 3).flags() & Frame.END_STREAM).isNotZero();
    }
  }

  @Test
  @DisplayName("padding is credited and not delivered; empty DATA without end is not endless")
  void paddingAndEmptyFrames() throws Exception {
    Recorder recorder = new Recorder();
    try (TunnelRig rig = TunnelRig.serving(() -> recorder);
        FrameConnection client = rig.rawClient()) {
      client.send(Frame.headers(1, false, GOOD));
      client.await(HEADERS, 1);
      client.send(new Frame(Frame.Type.DATA, 0x8, 1, new byte[] {3, 'a', 'b', 0, 0, 0}));
      Await.until("the bytes", () -> recorder.text().equals("ab"));
      for (int i = 0; i < 200; i++) {
        client.sendData(1, "", false);
      }
      ByteBuffer goAway = ByteBuffer.wrap(client.await(GOAWAY).payload());
      assertThat(goAway.getInt(4)).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM.ordinal());
    } catch (AssertionError e) {
      assertThat(e).hasMessageContaining("gone");
    }
  }
}
