// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The application of a sandwiched waypoint: it has no identity and speaks no HBONE, and passes on
 * what it is given through the mesh that it is sandwiched in.
 */
final class SandwichedProxy implements AutoCloseable {

  private static final byte[] SIGNATURE = {
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a
  };

  /** A PROXY header over IPv4. */
  record Header(InetSocketAddress source, InetSocketAddress destination, String identity) {}

  private final ServerSocket listener = new ServerSocket();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<Header> headers = new LinkedBlockingQueue<>();
  private final CompletableFuture<Mesh> mesh = new CompletableFuture<>();
  private final InetSocketAddress fixedDestination;

  /**
   * Listens.
   *
   * @param fixedDestination where connections go that begin with no header, or null to read one
   */
  SandwichedProxy(InetAddress address, InetSocketAddress fixedDestination) throws IOException {
    this.fixedDestination = fixedDestination;
    listener.bind(new InetSocketAddress(address, 0));
    threads.execute(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** The mesh that it is part of, which needs the port to start. */
  void within(Mesh started) {
    mesh.complete(started);
  }

  BlockingQueue<Header> headers() {
    return headers;
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        threads.execute(() -> serve(socket));
      }
    } catch (SocketException closed) {
      return;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InetSocketAddress destination = fixedDestination;
      if (destination == null) {
        Header header = read(new DataInputStream(socket.getInputStream()));
        headers.add(header);
        destination = header.destination();
      }
      String host = destination.getAddress().getHostAddress();
      try (MeshConnection onward = Traffic.connect(mesh.join(), host, destination.getPort())) {
        CompletableFuture<Void> answers =
            CompletableFuture.runAsync(() -> copyBack(onward, socket), threads);
        socket.getInputStream().transferTo(onward.output());
        onward.shutdownOutput();
        answers.join();
      }
    } catch (IOException | MeshException | CancellationException e) {
      headers.add(new Header(null, null, e.toString()));
    }
  }

  private static void copyBack(MeshConnection from, Socket to) {
    try {
      from.input().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Header read(DataInputStream in) throws IOException {
    byte[] signature = in.readNBytes(SIGNATURE.length);
    int versionAndCommand = in.readUnsignedByte();
    int family = in.readUnsignedByte();
    if (!Arrays.equals(signature, SIGNATURE) || versionAndCommand != 0x21 || family != 0x11) {
      throw new IOException("no PROXY header of version 2 over TCP and IPv4");
    }
    int rest = in.readUnsignedShort() - 12;
    byte[] source = in.readNBytes(4);
    byte[] destination = in.readNBytes(4);
    int sourcePort = in.readUnsignedShort();
    int destinationPort = in.readUnsignedShort();
    int type = in.readUnsignedByte();
    byte[] value = in.readNBytes(in.readUnsignedShort());
    if (type != 0xd0 || rest != 3 + value.length) {
      throw new IOException("the one field is not the identity: " + type);
    }
    return new Header(
        new InetSocketAddress(InetAddress.getByAddress(source), sourcePort),
        new InetSocketAddress(InetAddress.getByAddress(destination), destinationPort),
        new String(value, StandardCharsets.US_ASCII));
  }

  @Override
  public void close() throws IOException {
    listener.close();
    mesh.cancel(false);
    Traffic.end(threads);
  }
}
