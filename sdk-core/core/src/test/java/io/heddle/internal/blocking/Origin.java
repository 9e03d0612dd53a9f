// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A plain blocking TCP server on the loopback: the far end of every contract test. */
public final class Origin implements Closeable {

  /** What the origin does with one accepted connection; the connection is closed behind it. */
  @FunctionalInterface
  public interface Conversation {
    void hold(Socket peer) throws Exception;
  }

  private final ServerSocket listener;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Future<?>> conversations = new ConcurrentLinkedQueue<>();
  private final List<Socket> open = new ArrayList<>();

  private Origin(ServerSocket listener) {
    this.listener = listener;
  }

  public static Origin serving(Conversation conversation) throws IOException {
    Origin origin = new Origin(new ServerSocket(0, 256, InetAddress.getLoopbackAddress()));
    origin.threads.execute(() -> origin.acceptAll(conversation));
    return origin;
  }

  /** A port that lets a connect hang: its accept queue is full, so that the kernel drops SYNs. */
  public static Origin unanswering() throws IOException {
    Origin origin = new Origin(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    for (boolean answered = true; answered; ) {
      Socket filler = new Socket();
      origin.open.add(filler);
      try {
        filler.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), origin.port()), 300);
      } catch (IOException full) {
        answered = false;
      }
    }
    return origin;
  }

  /** A port at which nothing listens. */
  public static int refusingPort() throws IOException {
    try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return once.getLocalPort();
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Waits for all conversations begun so far, and fails with the first failure among them. */
  public void awaitConversations() throws Exception {
    for (Future<?> conversation : conversations) {
      conversation.get(60, TimeUnit.SECONDS);
    }
  }

  private void acceptAll(Conversation conversation) {
    try {
      while (true) {
        Socket peer = listener.accept();
        peer.setTcpNoDelay(true);
        conversations.add(
            threads.submit(
                () -> {
                  try (peer) {
                    conversation.hold(peer);
                  }
                  return null;
                }));
      }
    } catch (IOException listenerClosed) {
      // The test is over.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
    for (Socket filler : open) {
      filler.close();
    }
  }
}
