// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.namespaces;

import io.heddle.Mesh;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What is on the other side of a pod's link: callers in plain text from any address of the host,
 * and a member of the mesh.
 */
final class NodeProgram {

  private static final int LIMIT_MILLIS = 20_000;

  private NodeProgram() {}

  /** Takes the mesh's file, the directory of the development root, and who the member is. */
  public static void main(String[] args) throws Exception {
    try (Mesh mesh =
        Mesh.builder()
            .localFile(Path.of(args[0]))
            .developmentDirectory(Path.of(args[1]))
            .workload(args[2])
            .start()) {
      BufferedReader questions =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      System.out.println("ready");
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        System.out.println(answer(mesh, line.split(" ", -1)));
      }
    }
  }

  private static String answer(Mesh mesh, String[] words) {
    try {
      return switch (words[0]) {
        case "echo" -> echo(dial(words[1], words[2], Integer.parseInt(words[3])));
        case "ready" -> status(dial(words[1], words[2], 15_021));
        case "mesh" -> echo(mesh.socketFactory().createSocket(words[1], 80));
        default -> throw new IllegalArgumentException(words[0]);
      };
    } catch (IOException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static Socket dial(String from, String to, int port) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(to, port), LIMIT_MILLIS);
    return socket;
  }

  private static String echo(Socket socket) throws IOException {
    try (socket) {
      socket.setSoTimeout(LIMIT_MILLIS);
      socket.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readNBytes(5), StandardCharsets.UTF_8);
    }
  }

  private static String status(Socket socket) throws IOException {
    try (socket) {
      socket.setSoTimeout(LIMIT_MILLIS);
      socket
          .getOutputStream()
          .write(
              "GET /healthz/ready HTTP/1.1\r\nHost: pod\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }
}
