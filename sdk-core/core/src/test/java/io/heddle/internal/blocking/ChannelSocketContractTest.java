// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.heddle.internal.relay.ChannelReset;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** The contract held by {@link ChannelSocket} over plain TCP channels of Java's own selector. */
class ChannelSocketContractTest extends ByteChannelContract {

  private static final TcpConnector TCP = TcpConnector.nio();

  @AfterAll
  static void stopLoops() throws InterruptedException {
    TCP.close();
  }

  @Override
  protected Opening open() throws IOException {
    return opening(TCP);
  }

  static Opening opening(ByteChannelConnector connector) throws IOException {
    Socket socket = new ChannelSocket(connector, ChannelReset.ofTcp());
    return new Opening() {
      @Override
      public Connection connect(InetSocketAddress origin, Duration limit) throws IOException {
        socket.connect(origin, (int) limit.toMillis());
        return Connection.of(socket);
      }

      @Override
      public void close() throws IOException {
        socket.close();
      }
    };
  }
}
