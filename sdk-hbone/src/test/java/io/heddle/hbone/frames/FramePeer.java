// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.frames;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A server whose every frame is the test's own. Each connection runs the behaviour on a thread of
 * its own; what fails there is reported by {@link #close}.
 */
public final class FramePeer implements AutoCloseable {

  /** What one connection does. */
  public interface Behaviour {

    /**
     * Plays one connection; returning leaves it open until the peer is closed.
     *
     * @param number of this connection, counted from 1
     */
    void play(FrameConnection connection, int number) throws Exception;
  }

  /** What one TCP connection does without HTTP/2. */
  public interface SocketBehaviour {

    /** Returns when it has done its part; the connection stays open. */
    void play(Socket socket) throws IOException;
  }

  private interface Upgrade {
    @Nullable FrameConnection upgrade(Socket socket) throws IOException;
  }

  private final ServerSocket listener;
  private final Upgrade upgrade;
  private final Behaviour behaviour;
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<FrameConnection> connections = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  private FramePeer(Upgrade upgrade, Behaviour behaviour) throws IOException {
    this("127.0.0.1", upgrade, behaviour);
  }

  private FramePeer(String host, Upgrade upgrade, Behaviour behaviour) throws IOException {
    this.listener = new ServerSocket(0, 512, InetAddress.getByName(host));
    this.upgrade = upgrade;
    this.behaviour = behaviour;
    start("frame-peer", this::accept);
  }

  /** Over TCP without TLS. */
  public static FramePeer plaintext(Behaviour behaviour) throws IOException {
    return new FramePeer(socket -> FrameConnection.accepted(socket, socket), behaviour);
  }

  /** As {@link #overTls}, on every address of 127.0.0.0/8; {@link #address} tells one of them. */
  public static FramePeer everywhere(SSLContext context, Behaviour behaviour) throws IOException {
    return new FramePeer(
        "0.0.0.0",
        socket -> FrameConnection.accepted(socket, handshake(context, socket)),
        behaviour);
  }

  /** TCP and no more: what is said is the behaviour's own. */
  public static FramePeer rawTcp(SocketBehaviour behaviour) throws IOException {
    return new FramePeer(
        socket -> {
          behaviour.play(socket);
          return null;
        },
        (connection, number) -> {});
  }

  /** Over TLS, which is expected to fail on either side. */
  public static FramePeer refusing(SSLContext context) throws IOException {
    return new FramePeer(
        socket -> {
          try (SSLSocket secured = handshake(context, socket)) {
            // A client refuses a server of TLS 1.3 before that sends anything of its own.
            secured.getInputStream().readAllBytes();
          } catch (SSLException expected) {
            return null;
          }
          return null;
        },
        (connection, number) -> {});
  }

  /** Over TLS with ALPN h2; the client must show a certificate. */
  public static FramePeer overTls(SSLContext context, Behaviour behaviour) throws IOException {
    return new FramePeer(
        socket -> FrameConnection.accepted(socket, handshake(context, socket)), behaviour);
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
  }

  /** TCP connections accepted so far. */
  public int accepted() {
    return sockets.size();
  }

  /** Connections that came as far as HTTP/2. */
  public List<FrameConnection> connections() {
    return List.copyOf(connections);
  }

  /** Throws what went wrong in a behaviour so far. */
  public void check() {
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError("the peer's script failed: " + failures.get(0));
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }

  /** Waits for every behaviour to end by itself, then checks. */
  public void awaitPlayed() throws InterruptedException {
    for (Thread thread : new ArrayList<>(threads.subList(1, threads.size()))) {
      thread.join(TimeUnit.SECONDS.toMillis(20));
      if (thread.isAlive()) {
        throw new AssertionError(thread.getName() + " is still in its script");
      }
    }
    check();
  }

  @Override
  public void close() throws Exception {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(Duration.ofSeconds(10).toMillis());
    }
    check();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        int number = sockets.size();
        start("frame-peer-" + number, () -> serve(socket, number));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket, int number) {
    @Nullable FrameConnection connection;
    try {
      socket.setTcpNoDelay(true);
      connection = upgrade.upgrade(socket);
    } catch (IOException e) {
      if (!listener.isClosed()) {
        failures.add(e);
      }
      return;
    }
    if (connection == null) {
      return;
    }
    connections.add(connection);
    try {
      behaviour.play(connection, number);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (Exception | AssertionError e) {
      if (!listener.isClosed()) {
        failures.add(e);
      }
    }
  }

  private static SSLSocket handshake(SSLContext context, Socket plain) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true);
    socket.setUseClientMode(false);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    parameters.setNeedClientAuth(true);
    parameters.setEndpointIdentificationAlgorithm(null);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private void start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }
}
