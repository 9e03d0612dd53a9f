// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Sockets, each of a context of its own. */
final class ConnectionSockets extends SSLSocketFactory {

  private final ConnectionContexts contexts;

  ConnectionSockets(ConnectionContexts contexts) {
    this.contexts = contexts;
  }

  private SSLSocketFactory fresh() {
    return contexts.forOneConnection().getSocketFactory();
  }

  private Socket configured(Socket socket) {
    SSLSocket ssl = (SSLSocket) socket;
    ssl.setSSLParameters(contexts.meshParameters(ssl.getSSLParameters()));
    return ssl;
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return fresh().getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return fresh().getSupportedCipherSuites();
  }

  @Override
  public Socket createSocket() throws IOException {
    return configured(fresh().createSocket());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return configured(fresh().createSocket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return configured(fresh().createSocket(host, port, localHost, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return configured(fresh().createSocket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return configured(fresh().createSocket(address, port, localAddress, localPort));
  }

  @Override
  public Socket createSocket(Socket socket, @Nullable String host, int port, boolean autoClose)
      throws IOException {
    return configured(fresh().createSocket(socket, host, port, autoClose));
  }

  @Override
  public Socket createSocket(Socket socket, @Nullable InputStream consumed, boolean autoClose)
      throws IOException {
    return configured(fresh().createSocket(socket, consumed, autoClose));
  }
}
