// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.heddle.internal.relay.ChannelReset;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;

/**
 * A {@code java.net.Socket} whose bytes travel through a Netty channel.
 *
 * <p>It connects to unresolved addresses too, which leaves the name to the connector. A connect
 * that fails is a {@code ConnectException} or {@code SocketTimeoutException}, a channel that fails
 * later a {@code SocketException}, each with the channel's own exception as cause. It has no {@code
 * SocketChannel}.
 */
public final class ChannelSocket extends Socket {

  public ChannelSocket(ByteChannelConnector connector, ChannelReset resetting)
      throws SocketException {
    super(new ChannelSocketTransport(connector, resetting));
  }

  @Override
  public void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
    super.connect(
        endpoint instanceof InetSocketAddress address && address.isUnresolved()
            ? NamedEndpoint.of(address)
            : endpoint,
        timeoutMillis);
  }
}
