// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import io.heddle.internal.blocking.ByteChannelContract;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Sockets of the mesh keep the contract: socket, tunnel, relay, and a TCP server behind them. */
class MeshSocketContractTest extends ByteChannelContract {

  @TempDir private Path directory;
  private final Set<Integer> exposed = ConcurrentHashMap.newKeySet();
  private MeshFixture fixture;
  private Mesh api;
  private Mesh web;

  @BeforeEach
  void startMeshes() throws IOException {
    fixture = new MeshFixture(directory);
    api = fixture.api();
    web = fixture.web();
  }

  @AfterEach
  void closeMeshes() throws Exception {
    fixture.close();
  }

  @Override
  protected Opening open() throws IOException {
    Socket socket = web.socketFactory().createSocket();
    return new Opening() {
      @Override
      public Connection connect(InetSocketAddress origin, Duration limit) throws IOException {
        if (exposed.add(origin.getPort())) {
          api.expose(origin.getPort());
        }
        socket.connect(
            new InetSocketAddress(fixture.address(3), origin.getPort()), (int) limit.toMillis());
        return Connection.of(socket);
      }

      @Override
      public void close() throws IOException {
        socket.close();
      }
    };
  }
}
