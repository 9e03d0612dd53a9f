// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.hbone.TunnelException.Phase;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.frames.FramePeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;

/** A server that stops talking at some point before a tunnel could be opened. */
final class SilentPeer implements AutoCloseable {

  /** Where it stops. */
  enum Kind {
    SILENT_TCP(Phase.TLS),
    HALF_SERVER_HELLO(Phase.TLS),
    NO_SETTINGS(Phase.SETTINGS);

    private final Phase phase;

    Kind(Phase phase) {
      this.phase = phase;
    }

    Phase phase() {
      return phase;
    }
  }

  /** The head of a handshake record of 122 bytes and some bytes of a ServerHello in it. */
  private static final byte[] HALF_HELLO =
      HexFormat.of().parseHex("160303007a0200007603031122334455");

  private final FramePeer peer;

  private SilentPeer(FramePeer peer) {
    this.peer = peer;
  }

  static SilentPeer start(Kind kind, SSLContext context) throws Exception {
    return new SilentPeer(
        switch (kind) {
          case SILENT_TCP -> FramePeer.rawTcp(SilentPeer::listen);
          case HALF_SERVER_HELLO ->
              FramePeer.rawTcp(
                  socket -> {
                    socket.getOutputStream().write(HALF_HELLO);
                    listen(socket);
                  });
          case NO_SETTINGS ->
              FramePeer.overTls(context, (connection, number) -> awaitEnd(connection));
        });
  }

  InetSocketAddress address() {
    return peer.address();
  }

  int accepted() {
    return peer.accepted();
  }

  @Override
  public void close() throws Exception {
    peer.close();
  }

  private static void listen(Socket socket) throws IOException {
    socket.getInputStream().readAllBytes();
  }

  private static void awaitEnd(FrameConnection connection) throws InterruptedException {
    connection.awaitEnd();
  }
}
