// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What tests send through a mesh, and the servers that answer. */
final class Traffic {

  private static final int LIMIT_SECONDS = 30;

  private Traffic() {}

  static MeshConnection connect(Mesh mesh, String host, int port) {
    try {
      return mesh.connect(host, port).toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no answer to connect within " + LIMIT_SECONDS + " s", e);
    }
  }

  /** Sends the text, ends the direction, and reads the answer to its end. */
  static String exchange(Mesh mesh, String host, int port, String text) throws IOException {
    try (MeshConnection connection = connect(mesh, host, port)) {
      // Beside the reading: an answer may begin before the whole text is sent.
      CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(connection, text));
      byte[] answer = connection.input().readAllBytes();
      sent.join();
      return new String(answer, StandardCharsets.UTF_8);
    }
  }

  private static void send(MeshConnection connection, String text) {
    try {
      connection.output().write(text.getBytes(StandardCharsets.UTF_8));
      connection.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends threads that use connections, and waits: until then they hold buffers. */
  static void end(ExecutorService threads) {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("a thread does not end: " + threads);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** One byte there and one back: the connection carries traffic. */
  static void pingPong(MeshConnection connection) throws IOException {
    connection.output().write(7);
    connection.output().flush();
    if (connection.input().read() != 7) {
      throw new IOException("no echo");
    }
  }

  /** An application with a TCP server that echoes and keeps what it accepted. */
  static final class EchoServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();

    EchoServer(InetAddress address, int port) throws IOException {
      listener.bind(new InetSocketAddress(address, port));
      threads.execute(this::accept);
    }

    int port() {
      return listener.getLocalPort();
    }

    /** Sockets in the order of acceptance. */
    BlockingQueue<Socket> accepted() {
      return accepted;
    }

    private void accept() {
      try {
        while (true) {
          Socket socket = listener.accept();
          socket.setTcpNoDelay(true);
          open.add(socket);
          accepted.add(socket);
          serve(socket);
        }
      } catch (SocketException closed) {
        return;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    private void serve(Socket socket) throws IOException {
      try {
        threads.execute(() -> echo(socket));
      } catch (RejectedExecutionException closing) {
        socket.close();
      }
    }

    private void echo(Socket socket) {
      try (socket) {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        in.transferTo(out);
        socket.shutdownOutput();
      } catch (IOException reset) {
        // The peer is gone, which some tests want.
        return;
      } finally {
        open.remove(socket);
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
      threads.shutdownNow();
    }
  }
}
