// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.heddle.internal.relay.ChannelReset;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@code java.net.Socket} asks of its transport, answered by a channel. */
final class ChannelSocketTransport extends SocketImpl {

  private final ByteChannelConnector connector;
  private final BlockingByteChannel bytes;
  private final SocketSettings settings;
  private final ConnectAttempt attempt;

  ChannelSocketTransport(ByteChannelConnector connector, ChannelReset resetting) {
    this.connector = connector;
    this.bytes = new BlockingByteChannel(resetting);
    this.settings = new SocketSettings(bytes);
    this.attempt = new ConnectAttempt(this.connector, bytes);
  }

  @Override
  protected void create(boolean stream) throws SocketException {
    if (!stream) {
      throw new SocketException("a channel carries a byte stream, no datagrams");
    }
  }

  @Override
  protected void connect(String host, int port) throws IOException {
    connect(NamedEndpoint.of(InetSocketAddress.createUnresolved(host, port)), 0);
  }

  @Override
  protected void connect(InetAddress address, int port) throws IOException {
    connect(new InetSocketAddress(address, port), 0);
  }

  @Override
  protected void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
    if (bytes.isClosed()) {
      throw new SocketException("Socket closed");
    }
    InetSocketAddress asked = (InetSocketAddress) endpoint;
    InetAddress resolved = asked instanceof NamedEndpoint ? null : asked.getAddress();
    DuplexChannel channel =
        attempt.await(asked.getHostString(), resolved, asked.getPort(), timeoutMillis);
    port = asked.getPort();
    address = resolved == null ? shownAddress(asked, channel) : resolved;
    localport = channel.localAddress() instanceof InetSocketAddress local ? local.getPort() : 0;
    settings.applyToChannel();
  }

  /** The asked name with the address that the channel reached, or 0.0.0.0 when that is unknown. */
  private static InetAddress shownAddress(InetSocketAddress asked, DuplexChannel channel) {
    if (channel.remoteAddress() instanceof InetSocketAddress remote
        && remote.getAddress() != null) {
      return NamedEndpoint.named(asked.getHostString(), remote.getAddress().getAddress());
    }
    return asked.getAddress();
  }

  /** The local address of a channel is its connector's choice: only "any" can be promised. */
  @Override
  protected void bind(InetAddress host, int localPort) throws IOException {
    if (!host.isAnyLocalAddress() || localPort != 0) {
      throw new BindException(
          "cannot bind to "
              + host.getHostAddress()
              + ":"
              + localPort
              + ": this socket's local address is chosen when it connects;"
              + " bind to no address and port 0, or not at all");
    }
  }

  @Override
  protected void listen(int backlog) throws IOException {
    throw new SocketException("this socket only connects, it cannot listen");
  }

  @Override
  protected void accept(SocketImpl accepted) throws IOException {
    throw new SocketException("this socket only connects, it cannot accept");
  }

  @Override
  protected InputStream getInputStream() {
    return bytes.input();
  }

  @Override
  protected OutputStream getOutputStream() {
    return bytes.output();
  }

  @Override
  protected int available() throws IOException {
    return bytes.input().available();
  }

  @Override
  protected void close() throws IOException {
    attempt.giveUp();
    bytes.close();
  }

  @Override
  protected void shutdownInput() throws IOException {
    bytes.shutdownInput();
  }

  @Override
  protected void shutdownOutput() throws IOException {
    bytes.shutdownOutput();
  }

  @Override
  protected boolean supportsUrgentData() {
    return false;
  }

  @Override
  protected void sendUrgentData(int data) throws IOException {
    throw new SocketException("urgent data cannot be sent in a byte stream");
  }

  @Override
  public void setOption(int option, Object value) throws SocketException {
    settings.set(option, value);
  }

  @Override
  public Object getOption(int option) throws SocketException {
    if (option == SocketOptions.SO_BINDADDR) {
      return localAddress();
    }
    Object value = settings.get(option);
    if (value == null) {
      throw new SocketException("unknown socket option " + option);
    }
    return value;
  }

  private InetAddress localAddress() {
    DuplexChannel channel = bytes.channel();
    if (channel != null
        && channel.localAddress() instanceof InetSocketAddress local
        && local.getAddress() != null) {
      return local.getAddress();
    }
    return new InetSocketAddress(0).getAddress();
  }

  @Override
  protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
    settings.set(option, value);
  }

  /** Null for options that this socket does not have: nothing was ever set. */
  @Override
  @SuppressWarnings("unchecked") // the settings keep each option's value in the option's own type
  protected <T> @Nullable T getOption(SocketOption<T> option) throws IOException {
    return (T) settings.get(option);
  }

  @Override
  protected Set<SocketOption<?>> supportedOptions() {
    return SocketSettings.SUPPORTED;
  }
}
