// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.heddle.internal.blocking.Bytes;
import io.heddle.internal.blocking.Origin;
import io.heddle.internal.relay.RelayOutcome.Ending;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A relay between two TCP connections: a plain client, the relay, a plain {@link Origin}. */
class RelayTest {

  private static final int MIB = 1024 * 1024;
  private static final long LARGE = 64L * MIB;

  private RelayServer server;

  @BeforeEach
  void startServer() throws InterruptedException {
    server = new RelayServer();
  }

  @AfterEach
  void stopServer() throws InterruptedException {
    server.close();
  }

  private Socket connect(Origin origin) throws IOException {
    server.relayTo(origin.port());
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  @Test
  void cleanEndTellsTheBytesOfBothDirections() throws Exception {
    try (Origin origin =
            Origin.serving(
                peer -> {
                  peer.getInputStream().readAllBytes();
                  Bytes.send(peer.getOutputStream(), 3000);
                });
        Socket client = connect(origin)) {
      Bytes.send(client.getOutputStream(), 2000);
      client.shutdownOutput();
      client.getInputStream().readAllBytes();

      assertThat(server.nextOutcome()).isEqualTo(new RelayOutcome(Ending.CLEAN, 2000, 3000, null));
    }
  }

  @Test
  @DisplayName("B030 half-close by the client passes through and the answer comes back")
  void clientHalfClosesFirst() throws Exception {
    CompletableFuture<String> request = new CompletableFuture<>();
    try (Origin origin =
            Origin.serving(
                peer -> {
                  request.complete(Bytes.digest(peer.getInputStream(), 8192));
                  Bytes.send(peer.getOutputStream(), 2 * MIB);
                });
        Socket client = connect(origin)) {
      Bytes.send(client.getOutputStream(), MIB);
      client.shutdownOutput();

      assertThat(Bytes.digest(client.getInputStream(), 8192)).isEqualTo(Bytes.digest(2 * MIB));
      assertThat(request.get(10, TimeUnit.SECONDS)).isEqualTo(Bytes.digest(MIB));
      assertThat(server.nextOutcome().ending()).isEqualTo(Ending.CLEAN);
    }
  }

  @Test
  @DisplayName("B030 half-close by the origin passes through and the upload goes on")
  void originHalfClosesFirst() throws Exception {
    CompletableFuture<String> upload = new CompletableFuture<>();
    try (Origin origin =
            Origin.serving(
                peer -> {
                  Bytes.send(peer.getOutputStream(), 1000);
                  peer.shutdownOutput();
                  upload.complete(Bytes.digest(peer.getInputStream(), 8192));
                });
        Socket client = connect(origin)) {
      assertThat(Bytes.digest(client.getInputStream(), 100)).isEqualTo(Bytes.digest(1000));

      Bytes.send(client.getOutputStream(), MIB);
      client.shutdownOutput();

      assertThat(upload.get(10, TimeUnit.SECONDS)).isEqualTo(Bytes.digest(MIB));
      assertThat(server.nextOutcome().ending()).isEqualTo(Ending.CLEAN);
    }
  }

  @Test
  @DisplayName("B033 a slow reader gets 64 MiB unchanged, and holds the sender behind the relay")
  void slowReaderGetsEverything() throws Exception {
    AtomicLong taken = new AtomicLong();
    try (Origin origin = Origin.serving(peer -> Bytes.send(peer.getOutputStream(), LARGE, taken));
        Socket client = connect(origin)) {
      awaitStandstill(taken);
      assertThat(taken.get()).isLessThan(LARGE / 2);

      assertThat(Bytes.digest(client.getInputStream(), 1024)).isEqualTo(Bytes.digest(LARGE));
    }
    assertThat(server.nextOutcome().bytesDownstream()).isEqualTo(LARGE);
  }

  @Test
  void resetByTheClientResetsTheOrigin() throws Exception {
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    try (Origin origin =
            Origin.serving(
                peer -> {
                  peer.getOutputStream().write(1);
                  seen.complete(catchThrowable(() -> peer.getInputStream().read()));
                });
        Socket client = connect(origin)) {
      assertThat(client.getInputStream().read()).isEqualTo(1);

      client.setSoLinger(true, 0);
      client.close();

      assertThat(seen.get(10, TimeUnit.SECONDS)).isInstanceOf(SocketException.class);
      RelayOutcome outcome = server.nextOutcome();
      assertThat(outcome.ending()).isEqualTo(Ending.DOWNSTREAM_RESET);
      assertThat(outcome.cause()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void resetByTheOriginResetsTheClient() throws Exception {
    CountDownLatch mayReset = new CountDownLatch(1);
    try (Origin origin =
            Origin.serving(
                peer -> {
                  peer.getOutputStream().write(1);
                  mayReset.await();
                  peer.setSoLinger(true, 0);
                });
        Socket client = connect(origin)) {
      assertThat(client.getInputStream().read()).isEqualTo(1);

      mayReset.countDown();

      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
      assertThat(server.nextOutcome().ending()).isEqualTo(Ending.UPSTREAM_RESET);
    }
  }

  @Test
  void resetByTheOriginDuringAnUploadResetsTheClient() throws Exception {
    try (Origin origin =
            Origin.serving(
                peer -> {
                  peer.getInputStream().readNBytes(MIB);
                  peer.setSoLinger(true, 0);
                });
        Socket client = connect(origin)) {
      assertThatThrownBy(() -> Bytes.send(client.getOutputStream(), 100 * LARGE))
          .isInstanceOf(SocketException.class);
      assertThat(server.nextOutcome().ending()).isEqualTo(Ending.UPSTREAM_RESET);
    }
  }

  @Test
  void whatAClientSentToTheEndIsDeliveredAlthoughItFailsAfterwards() throws Exception {
    IOException reset = new IOException("stream reset after its end");
    CompletableFuture<String> upload = new CompletableFuture<>();
    CountDownLatch clientHasFailed = new CountDownLatch(1);
    try (Origin origin =
            Origin.serving(
                peer -> {
                  clientHasFailed.await();
                  upload.complete(Bytes.digest(peer.getInputStream(), 8192));
                });
        Socket client = connect(origin)) {
      Bytes.send(client.getOutputStream(), MIB);
      client.shutdownOutput();
      server.awaitDownstreamEnd();

      server.failDownstream(reset);
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
      clientHasFailed.countDown();

      assertThat(upload.get(10, TimeUnit.SECONDS)).isEqualTo(Bytes.digest(MIB));
      assertThat(server.nextOutcome())
          .isEqualTo(new RelayOutcome(Ending.DOWNSTREAM_RESET, MIB, 0, reset));
    }
  }

  @Test
  void anOriginThatSendsToAClientThatLeftIsReset() throws Exception {
    CountDownLatch clientHasFailed = new CountDownLatch(1);
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    try (Origin origin =
            Origin.serving(
                peer -> {
                  clientHasFailed.await();
                  seen.complete(
                      catchThrowable(() -> Bytes.send(peer.getOutputStream(), 100 * LARGE)));
                });
        Socket client = connect(origin)) {
      client.shutdownOutput();
      server.awaitDownstreamEnd();

      server.failDownstream(new IOException("stream reset after its end"));
      clientHasFailed.countDown();

      assertThat(seen.get(10, TimeUnit.SECONDS)).isInstanceOf(SocketException.class);
      assertThat(server.nextOutcome().ending()).isEqualTo(Ending.DOWNSTREAM_RESET);
    }
  }

  @Test
  @DisplayName("B043 a hundred downloads aborted half-way reset the origin and end their relays")
  void abortedDownloadsEnd() throws Exception {
    CompletableFuture<Void> conversations = new CompletableFuture<>();
    try (Origin origin =
        Origin.serving(
            peer -> {
              if (catchThrowable(() -> Bytes.send(peer.getOutputStream(), 100L * MIB)) == null) {
                conversations.completeExceptionally(new AssertionError("nobody stopped it"));
              }
            })) {
      for (int i = 0; i < 100; i++) {
        Socket client = connect(origin);
        client.getInputStream().readNBytes(64 * 1024);
        if (i % 2 == 0) {
          client.setSoLinger(true, 0);
        }
        client.close();
      }
      for (int i = 0; i < 100; i++) {
        assertThat(server.nextOutcome().ending()).isEqualTo(Ending.DOWNSTREAM_RESET);
      }
      origin.awaitConversations();
      assertThat(conversations).isNotDone();
    }
  }

  @Test
  void abortResetsBothSides() throws Exception {
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    Throwable reason = new IllegalStateException("the policy has changed");
    try (Origin origin =
            Origin.serving(
                peer -> {
                  peer.getOutputStream().write(1);
                  seen.complete(catchThrowable(() -> peer.getInputStream().read()));
                });
        Socket client = connect(origin)) {
      assertThat(client.getInputStream().read()).isEqualTo(1);

      server.lastRelay().abort(reason);

      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
      assertThat(seen.get(10, TimeUnit.SECONDS)).isInstanceOf(SocketException.class);
      assertThat(server.nextOutcome()).isEqualTo(new RelayOutcome(Ending.ABORTED, 0, 1, reason));
    }
  }

  @Test
  void originThatRefusesResetsTheClient() throws Exception {
    server.relayTo(Origin.refusingPort());
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
      assertThat(server.nextOutcome().ending()).isEqualTo(Ending.UPSTREAM_RESET);
    }
  }

  @Test
  void couplingOutsideTheEventLoopIsRefused() throws Exception {
    try (Origin origin = Origin.serving(peer -> peer.getInputStream().read());
        Socket client = connect(origin)) {
      client.getOutputStream().write(1);
      client.shutdownOutput();
      client.getInputStream().readAllBytes();
      server.nextOutcome();

      assertThatThrownBy(server::coupleOutsideTheLoop).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static void awaitStandstill(AtomicLong counter) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    long before = -1;
    while (counter.get() == 0 || counter.get() != before) {
      before = counter.get();
      assertThat(never.await(250, TimeUnit.MILLISECONDS)).isFalse();
    }
  }
}
