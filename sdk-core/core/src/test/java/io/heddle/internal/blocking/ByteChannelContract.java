// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What every way of connecting through us must hold, seen from an application that blocks.
 *
 * <p>The far end is always an {@link Origin}: a plain TCP server on the loopback, reached by its
 * port. A hook under test subclasses this suite and says how a connection is opened; whatever lies
 * between (nothing, a relay, a tunnel) is the subclass's to set up and to take down. Failures must
 * come as {@code java.net} exceptions of the types given here, with the hook's own exception as
 * cause; {@link #failureAtConnect} may be narrowed by a hook that refuses with another type.
 */
public abstract class ByteChannelContract {

  private static final long LARGE = 64L * 1024 * 1024;
  private static final int MIB = 1024 * 1024;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** A connection as an application holds it. */
  public interface Connection extends Closeable {

    InputStream input();

    OutputStream output();

    void shutdownOutput() throws IOException;

    /** Closes so that the origin sees a reset. */
    void reset() throws IOException;

    void readTimeout(Duration limit) throws IOException;

    /** Any socket that is connected. */
    static Connection of(Socket socket) throws IOException {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      return new Connection() {
        @Override
        public InputStream input() {
          return in;
        }

        @Override
        public OutputStream output() {
          return out;
        }

        @Override
        public void shutdownOutput() throws IOException {
          socket.shutdownOutput();
        }

        @Override
        public void reset() throws IOException {
          socket.setSoLinger(true, 0);
          socket.close();
        }

        @Override
        public void readTimeout(Duration limit) throws IOException {
          socket.setSoTimeout((int) limit.toMillis());
        }

        @Override
        public void close() throws IOException {
          socket.close();
        }
      };
    }
  }

  /** A connection not yet opened, so that it can be closed while it connects. */
  public interface Opening extends Closeable {

    /** Blocks; {@code Duration.ZERO} leaves the limit to the hook. */
    Connection connect(InetSocketAddress origin, Duration limit) throws IOException;
  }

  /** A new connection through the hook under test. */
  protected abstract Opening open() throws IOException;

  /** What a refused connect throws. */
  protected Class<? extends IOException> failureAtConnect() {
    return ConnectException.class;
  }

  private Connection connect(Origin origin) throws IOException {
    return open()
        .connect(InetSocketAddress.createUnresolved("origin.test", origin.port()), Duration.ZERO);
  }

  private <T> Future<T> inBackground(Callable<T> task) {
    return threads.submit(task);
  }

  @AfterEach
  void stopThreads() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void echoComesBackAsItWasSent() throws Exception {
    try (Origin origin = Origin.serving(ByteChannelContract::echo);
        Connection connection = connect(origin)) {
      byte[] sent = "how now".getBytes(US_ASCII);

      connection.output().write(sent);

      assertThat(connection.input().readNBytes(sent.length)).isEqualTo(sent);
    }
  }

  @Test
  @DisplayName("B030 the client half-closes first and still reads the whole answer")
  void clientHalfClosesFirst() throws Exception {
    CompletableFuture<String> request = new CompletableFuture<>();
    try (Origin origin =
            Origin.serving(
                peer -> {
                  request.complete(Bytes.digest(peer.getInputStream(), 8192));
                  Bytes.send(peer.getOutputStream(), 2 * MIB);
                });
        Connection connection = connect(origin)) {
      Bytes.send(connection.output(), MIB);
      connection.shutdownOutput();

      assertThat(Bytes.digest(connection.input(), 8192)).isEqualTo(Bytes.digest(2 * MIB));
      assertThat(request.get(10, TimeUnit.SECONDS)).isEqualTo(Bytes.digest(MIB));
    }
  }

  @Test
  @DisplayName("B030 the origin half-closes first and still reads everything from the client")
  void originHalfClosesFirst() throws Exception {
    CompletableFuture<String> upload = new CompletableFuture<>();
    try (Origin origin =
            Origin.serving(
                peer -> {
                  Bytes.send(peer.getOutputStream(), 1000);
                  peer.shutdownOutput();
                  upload.complete(Bytes.digest(peer.getInputStream(), 8192));
                });
        Connection connection = connect(origin)) {
      assertThat(Bytes.digest(connection.input(), 100)).isEqualTo(Bytes.digest(1000));

      Bytes.send(connection.output(), MIB);
      connection.shutdownOutput();

      assertThat(upload.get(10, TimeUnit.SECONDS)).isEqualTo(Bytes.digest(MIB));
      assertThat(connection.input().read()).isEqualTo(-1);
    }
  }

  @Test
  void closeRightAfterWritingLosesNothing() throws Exception {
    CompletableFuture<String> upload = new CompletableFuture<>();
    try (Origin origin =
        Origin.serving(peer -> upload.complete(Bytes.digest(peer.getInputStream(), 8192)))) {
      try (Connection connection = connect(origin)) {
        Bytes.send(connection.output(), 8 * MIB);
      }

      assertThat(upload.get(30, TimeUnit.SECONDS)).isEqualTo(Bytes.digest(8 * MIB));
    }
  }

  @Test
  void largeTransferArrivesWholeInBothDirectionsAtOnce() throws Exception {
    CompletableFuture<String> upload = new CompletableFuture<>();
    try (Origin origin =
            Origin.serving(
                peer -> {
                  Future<String> received =
                      inBackground(() -> Bytes.digest(peer.getInputStream(), 100_000));
                  Bytes.send(peer.getOutputStream(), LARGE);
                  peer.shutdownOutput();
                  upload.complete(received.get());
                });
        Connection connection = connect(origin)) {
      Future<String> download = inBackground(() -> Bytes.digest(connection.input(), 300_000));

      Bytes.send(connection.output(), LARGE);
      connection.shutdownOutput();

      String whole = Bytes.digest(LARGE);
      assertThat(download.get(60, TimeUnit.SECONDS)).isEqualTo(whole);
      assertThat(upload.get(60, TimeUnit.SECONDS)).isEqualTo(whole);
    }
  }

  @Test
  @DisplayName(
      "B033 a slow reader with random read sizes gets 64 MiB unchanged, and holds the sender")
  void slowReaderGetsEverything() throws Exception {
    AtomicLong taken = new AtomicLong();
    try (Origin origin = Origin.serving(peer -> Bytes.send(peer.getOutputStream(), LARGE, taken));
        Connection connection = connect(origin)) {
      // Read nothing until the origin is stuck: buffers in between must be bounded.
      awaitStandstill(taken);
      assertThat(taken.get()).isLessThan(LARGE / 2);

      assertThat(Bytes.digest(connection.input(), 1024)).isEqualTo(Bytes.digest(LARGE));
    }
  }

  @Test
  void slowOriginHoldsTheWriter() throws Exception {
    AtomicLong taken = new AtomicLong();
    CountDownLatch mayRead = new CountDownLatch(1);
    CompletableFuture<String> upload = new CompletableFuture<>();
    try (Origin origin =
            Origin.serving(
                peer -> {
                  mayRead.await();
                  upload.complete(Bytes.digest(peer.getInputStream(), 8192));
                });
        Connection connection = connect(origin)) {
      Future<?> writer =
          inBackground(
              () -> {
                Bytes.send(connection.output(), LARGE, taken);
                connection.shutdownOutput();
                return null;
              });
      awaitStandstill(taken);
      assertThat(taken.get()).isLessThan(LARGE / 2);

      mayRead.countDown();
      writer.get(60, TimeUnit.SECONDS);

      assertThat(upload.get(60, TimeUnit.SECONDS)).isEqualTo(Bytes.digest(LARGE));
    }
  }

  @Test
  void refusedConnectFailsWithTheCause() throws Exception {
    InetSocketAddress nobody =
        InetSocketAddress.createUnresolved("origin.test", Origin.refusingPort());
    try (Opening opening = open()) {
      assertThatThrownBy(() -> opening.connect(nobody, Duration.ZERO))
          .isInstanceOf(failureAtConnect())
          .hasCauseInstanceOf(Throwable.class);
    }
  }

  @Test
  void resetByTheOriginIsAnErrorAndNoEndOfStream() throws Exception {
    CountDownLatch mayReset = new CountDownLatch(1);
    try (Origin origin =
            Origin.serving(
                peer -> {
                  peer.getOutputStream().write(1);
                  mayReset.await();
                  peer.setSoLinger(true, 0);
                });
        Connection connection = connect(origin)) {
      assertThat(connection.input().read()).isEqualTo(1);

      mayReset.countDown();

      assertThatThrownBy(() -> connection.input().read())
          .isInstanceOf(SocketException.class)
          .hasMessageStartingWith("Connection reset")
          .hasCauseInstanceOf(Throwable.class);
    }
  }

  @Test
  void writingAfterAResetFails() throws Exception {
    try (Origin origin =
            Origin.serving(
                peer -> {
                  peer.getInputStream().read();
                  peer.setSoLinger(true, 0);
                });
        Connection connection = connect(origin)) {
      connection.output().write(1);

      assertThatThrownBy(
              () -> {
                byte[] piece = new byte[8192];
                while (true) {
                  connection.output().write(piece);
                }
              })
          .isInstanceOf(SocketException.class)
          .hasMessageStartingWith("Connection reset");
    }
  }

  @Test
  void resetByTheClientReachesTheOrigin() throws Exception {
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    try (Origin origin =
            Origin.serving(
                peer -> seen.complete(catchThrowable(() -> peer.getInputStream().readAllBytes())));
        Connection connection = connect(origin)) {
      connection.output().write(1);
      connection.reset();

      assertThat(seen.get(10, TimeUnit.SECONDS)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  @DisplayName("B043 a hundred downloads aborted half-way leave nothing that hinders the next ten")
  void abortedDownloadsDoNotHinderOthers() throws Exception {
    try (Origin origin = Origin.serving(ByteChannelContract::sendUntilGone)) {
      for (int i = 0; i < 100; i++) {
        Connection aborted = connect(origin);
        aborted.input().readNBytes(64 * 1024);
        if (i % 2 == 0) {
          aborted.reset();
        } else {
          aborted.close();
        }
      }
      origin.awaitConversations();

      for (int i = 0; i < 10; i++) {
        try (Connection normal = connect(origin)) {
          assertThat(normal.input().readNBytes(MIB)).hasSize(MIB);
        }
      }
    }
  }

  @Test
  void closingWhileItConnectsEndsTheConnect() throws Exception {
    try (Origin origin = Origin.unanswering()) {
      Opening opening = open();
      Thread[] connecting = new Thread[1];
      Future<Throwable> outcome =
          inBackground(
              () -> {
                connecting[0] = Thread.currentThread();
                return catchThrowable(
                    () ->
                        opening.connect(
                            InetSocketAddress.createUnresolved("origin.test", origin.port()),
                            Duration.ZERO));
              });
      awaitParked(connecting);

      opening.close();

      assertThat(outcome.get(10, TimeUnit.SECONDS)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void connectThatTakesTooLongTimesOut() throws Exception {
    try (Origin origin = Origin.unanswering();
        Opening opening = open()) {
      assertThatThrownBy(
              () ->
                  opening.connect(
                      InetSocketAddress.createUnresolved("origin.test", origin.port()),
                      Duration.ofMillis(100)))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void readThatTimesOutLosesNothing() throws Exception {
    CountDownLatch timedOut = new CountDownLatch(1);
    try (Origin origin =
            Origin.serving(
                peer -> {
                  peer.getOutputStream().write(new byte[] {1, 2});
                  timedOut.await();
                  peer.getOutputStream().write(3);
                });
        Connection connection = connect(origin)) {
      assertThat(connection.input().readNBytes(2)).containsExactly(1, 2);
      connection.readTimeout(Duration.ofMillis(50));
      assertThatThrownBy(() -> connection.input().read())
          .isInstanceOf(SocketTimeoutException.class);

      connection.readTimeout(Duration.ofSeconds(30));
      timedOut.countDown();

      assertThat(connection.input().read()).isEqualTo(3);
      assertThat(connection.input().read()).isEqualTo(-1);
    }
  }

  @Test
  void closeWakesABlockedReader() throws Exception {
    try (Origin origin = Origin.serving(ByteChannelContract::echo)) {
      Connection connection = connect(origin);
      Thread[] reading = new Thread[1];
      Future<Throwable> outcome =
          inBackground(
              () -> {
                reading[0] = Thread.currentThread();
                return catchThrowable(() -> connection.input().read());
              });
      awaitParked(reading);

      connection.close();

      assertThat(outcome.get(10, TimeUnit.SECONDS)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void closeWakesABlockedWriter() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (Origin origin = Origin.serving(peer -> over.await())) {
      Connection connection = connect(origin);
      AtomicLong taken = new AtomicLong();
      Future<Throwable> outcome =
          inBackground(() -> catchThrowable(() -> Bytes.send(connection.output(), LARGE, taken)));
      awaitStandstill(taken);

      connection.close();

      assertThat(outcome.get(10, TimeUnit.SECONDS)).isInstanceOf(SocketException.class);
      over.countDown();
    }
  }

  @Test
  void manyConnectionsAtOnceKeepTheirBytesApart() throws Exception {
    try (Origin origin = Origin.serving(ByteChannelContract::echo)) {
      List<Future<Boolean>> clients = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        byte[] own = Bytes.of(1000 + i);
        clients.add(inBackground(() -> echoesAreOwn(origin, own, 50)));
      }

      for (Future<Boolean> client : clients) {
        assertThat(client.get(60, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  private boolean echoesAreOwn(Origin origin, byte[] own, int rounds) throws IOException {
    try (Connection connection = connect(origin)) {
      for (int round = 0; round < rounds; round++) {
        connection.output().write(own);
        if (!Arrays.equals(connection.input().readNBytes(own.length), own)) {
          return false;
        }
      }
      return true;
    }
  }

  @Test
  @DisplayName("B051 two small writes per request do not wait for acknowledgements")
  void smallWritesAreNotHeldBack() throws Exception {
    int rounds = 500;
    long[] nanos = new long[rounds];
    try (Origin origin = Origin.serving(peer -> answerRequests(peer, 200));
        Connection connection = connect(origin)) {
      byte[] half = Bytes.of(100);
      for (int round = 0; round < rounds; round++) {
        long start = System.nanoTime();
        connection.output().write(half);
        connection.output().write(half);
        connection.input().readNBytes(200);
        nanos[round] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanos);

    // Nagle against delayed acknowledgement costs 40 ms in every round.
    assertThat(Duration.ofNanos(nanos[rounds / 2])).isLessThan(Duration.ofMillis(20));
  }

  private static void echo(Socket peer) throws IOException {
    peer.getInputStream().transferTo(peer.getOutputStream());
  }

  private static void answerRequests(Socket peer, int length) throws IOException {
    byte[] request;
    while ((request = peer.getInputStream().readNBytes(length)).length == length) {
      peer.getOutputStream().write(request);
    }
  }

  private static void sendUntilGone(Socket peer) {
    try {
      Bytes.send(peer.getOutputStream(), 100L * MIB);
    } catch (IOException aborted) {
      // What this conversation is for.
    }
  }

  /** Until the counter has begun to count and then not moved for a while. */
  private static void awaitStandstill(AtomicLong counter) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    long before = -1;
    while (counter.get() == 0 || counter.get() != before) {
      before = counter.get();
      assertThat(never.await(250, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  /** Until the thread is known and waits for something. */
  private static void awaitParked(Thread[] thread) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (thread[0] == null || !isWaiting(thread[0])) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static boolean isWaiting(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }
}
