// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Server sockets that give each accepted connection a context of its own. */
final class ConnectionServerSockets extends SSLServerSocketFactory {

  private static final int DEFAULT_BACKLOG = 50;

  private final ConnectionContexts contexts;

  ConnectionServerSockets(ConnectionContexts contexts) {
    this.contexts = contexts;
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return contexts.forOneConnection().getServerSocketFactory().getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return contexts.forOneConnection().getServerSocketFactory().getSupportedCipherSuites();
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new Listener(contexts);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return createServerSocket(port, DEFAULT_BACKLOG, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    return createServerSocket(port, backlog, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, @Nullable InetAddress address)
      throws IOException {
    ServerSocket listener = createServerSocket();
    try {
      listener.bind(new InetSocketAddress(address, port), backlog);
    } catch (IOException e) {
      listener.close();
      throw e;
    }
    return listener;
  }

  /** Keeps its TLS settings in a socket of the JDK that is never bound. */
  private static final class Listener extends SSLServerSocket {

    private final ConnectionContexts contexts;
    private final SSLServerSocket settings;

    Listener(ConnectionContexts contexts) throws IOException {
      this.contexts = contexts;
      this.settings =
          (SSLServerSocket)
              contexts.forOneConnection().getServerSocketFactory().createServerSocket();
      settings.setSSLParameters(contexts.meshParameters(settings.getSSLParameters()));
    }

    @Override
    public Socket accept() throws IOException {
      Socket plain = new Socket();
      implAccept(plain);
      SSLSocket ssl =
          (SSLSocket)
              contexts.forOneConnection().getSocketFactory().createSocket(plain, null, true);
      ssl.setUseClientMode(settings.getUseClientMode());
      ssl.setSSLParameters(settings.getSSLParameters());
      ssl.setEnableSessionCreation(settings.getEnableSessionCreation());
      return ssl;
    }

    @Override
    public SSLParameters getSSLParameters() {
      return settings.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
      settings.setSSLParameters(parameters);
    }

    @Override
    public String[] getEnabledCipherSuites() {
      return settings.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
      settings.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return settings.getSupportedCipherSuites();
    }

    @Override
    public String[] getSupportedProtocols() {
      return settings.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
      return settings.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
      settings.setEnabledProtocols(protocols);
    }

    @Override
    public void setNeedClientAuth(boolean need) {
      settings.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
      return settings.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
      settings.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
      return settings.getWantClientAuth();
    }

    @Override
    public void setUseClientMode(boolean mode) {
      settings.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
      return settings.getUseClientMode();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
      settings.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
      return settings.getEnableSessionCreation();
    }
  }
}
