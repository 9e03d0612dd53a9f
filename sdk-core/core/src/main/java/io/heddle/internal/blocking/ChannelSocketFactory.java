// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.heddle.internal.relay.ChannelReset;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/** Hands {@link ChannelSocket}s to client libraries that take a socket factory. */
public final class ChannelSocketFactory extends SocketFactory {

  private final ByteChannelConnector connector;
  private final ChannelReset resetting;

  public ChannelSocketFactory(ByteChannelConnector connector, ChannelReset resetting) {
    this.connector = connector;
    this.resetting = resetting;
  }

  @Override
  public Socket createSocket() throws IOException {
    return new ChannelSocket(connector, resetting);
  }

  /** Leaves the name to the connector: nothing is looked up here. */
  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(InetSocketAddress.createUnresolved(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  /** A local address other than "any, port 0" is refused with {@code BindException}. */
  @Override
  public Socket createSocket(String host, int port, @Nullable InetAddress localHost, int localPort)
      throws IOException {
    return connected(
        InetSocketAddress.createUnresolved(host, port),
        new InetSocketAddress(localHost, localPort));
  }

  /** A local address other than "any, port 0" is refused with {@code BindException}. */
  @Override
  public Socket createSocket(
      InetAddress address, int port, @Nullable InetAddress localAddress, int localPort)
      throws IOException {
    return connected(
        new InetSocketAddress(address, port), new InetSocketAddress(localAddress, localPort));
  }

  private Socket connected(InetSocketAddress remote, @Nullable InetSocketAddress local)
      throws IOException {
    Socket socket = createSocket();
    try {
      if (local != null) {
        socket.bind(local);
      }
      socket.connect(remote);
      return socket;
    } catch (IOException | RuntimeException failed) {
      socket.close();
      throw failed;
    }
  }
}
