// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.namespaces;

import io.heddle.Mesh;
import io.heddle.PlaintextCallers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;

/** A pod: an application that echoes on loopback, and the mesh that serves its port 8080. */
final class PodProgram {

  private PodProgram() {}

  /** Takes the mesh's file, the directory of the development root, and who it is. */
  public static void main(String[] args) throws Exception {
    try (ServerSocket application = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Mesh mesh =
            Mesh.builder()
                .localFile(Path.of(args[0]))
                .developmentDirectory(Path.of(args[1]))
                .workload(args[2])
                .plaintextCallers(PlaintextCallers.BY_POLICY)
                .drainPeriod(Duration.ofMillis(100))
                .start()) {
      start(() -> serve(application));
      mesh.expose(8080, application.getLocalPort());
      System.out.println("ready");
      InputStream untilTheParentEndsIt = System.in;
      while (untilTheParentEndsIt.read() >= 0) {
        // It asks nothing.
      }
    }
  }

  private static void serve(ServerSocket application) {
    while (!application.isClosed()) {
      try {
        Socket accepted = application.accept();
        start(() -> echo(accepted));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void echo(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException reset) {
      throw new UncheckedIOException(reset);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }
}
