// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.rig;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.frames.Frame;
import io.heddle.hbone.frames.FrameConnection;
import io.heddle.hbone.frames.PeerTls;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.internal.h2.ClientConnector;
import io.heddle.hbone.internal.transport.Transport;
import io.heddle.hbone.netty.HboneServer;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelAcceptor;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.netty.MeshTls;
import io.heddle.identity.netty.TlsProvider;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A server on a loopback port, and all that is needed to connect to it, over real mutual TLS. */
public final class TunnelRig implements AutoCloseable {
  public static final SpiffeId SERVER = SpiffeId.parse("spiffe://cluster.local/ns/shop/sa/web");
  public static final SpiffeId CLIENT = SpiffeId.parse("spiffe://cluster.local/ns/shop/sa/batch");
  public static final Authority AUTHORITY = Authority.parse("10.0.0.5:8080");

  private static volatile TlsProvider provider = TlsProvider.AUTO;

  public final EventLoopGroup group = Transport.preferred().newGroup(2, "rig");
  public final MeshTls serverTls;
  public final MeshTls clientTls;
  public final HboneServer server;
  public final InetSocketAddress address;
  public final TestPki pki;
  private final List<Future<ClientConnection>> dialled = new CopyOnWriteArrayList<>();
  private final SettableSource serverSource;
  private final SettableSource clientSource;

  private TunnelRig(HboneSettings settings, Clock clock, TunnelAcceptor acceptor) {
    pki = TestPki.create("cluster.local");
    serverSource = pki.source(SERVER.toString());
    clientSource = pki.source(CLIENT.toString());
    serverTls = MeshTls.builder(serverSource).provider(provider).build();
    clientTls = MeshTls.builder(clientSource).provider(provider).build();
    server =
        HboneServer.builder(serverTls, acceptor)
            .settings(settings)
            .clock(clock)
            .eventLoopGroup(group)
            .build();
    address = Await.get(server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
  }

  /** Both ends of rigs that start from now on use this engine. */
  public static void tlsProvider(TlsProvider value) {
    provider = value;
  }

  public static TunnelRig start(TunnelAcceptor acceptor) {
    return start(HboneSettings.defaults(), acceptor);
  }

  public static TunnelRig start(HboneSettings serverSettings, TunnelAcceptor acceptor) {
    return start(serverSettings, Clock.systemUTC(), acceptor);
  }

  public static TunnelRig start(
      HboneSettings serverSettings, Clock serverClock, TunnelAcceptor acceptor) {
    return new TunnelRig(serverSettings, serverClock, acceptor);
  }

  /** A server that accepts every tunnel and gives each a handler of its own. */
  public static TunnelRig serving(Callable<? extends ChannelHandler> handlers) {
    return serving(HboneSettings.defaults(), handlers);
  }

  public static TunnelRig serving(
      HboneSettings serverSettings, Callable<? extends ChannelHandler> handlers) {
    return start(serverSettings, request -> request.accept(null, make(handlers)));
  }

  private static ChannelHandler make(Callable<? extends ChannelHandler> handlers) {
    try {
      return handlers.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public Instant clientCertificateEnd() {
    return clientSource.current().svid().notAfter();
  }

  public TunnelTarget target() {
    return new TunnelTarget(address, List.of(SERVER), null, AUTHORITY, TunnelHeaders.NONE);
  }

  public ClientConnector connector(HboneSettings settings) {
    return new ClientConnector(clientTls, settings, Clock.systemUTC());
  }

  public ClientConnection connect() {
    return connect(HboneSettings.defaults());
  }

  public ClientConnection connect(HboneSettings settings) {
    return Await.get(dial(settings, target()));
  }

  /** A connection to anywhere, which ends with the rig at the latest. */
  public Future<ClientConnection> dial(HboneSettings settings, TunnelTarget target) {
    Future<ClientConnection> connecting = connector(settings).connect(group.next(), target);
    dialled.add(connecting);
    return connecting;
  }

  public static Future<Tunnel> openAsync(ClientConnection connection, ChannelHandler handler) {
    return Await.get(
        connection
            .eventLoop()
            .submit(() -> connection.open(AUTHORITY, TunnelHeaders.NONE, handler)));
  }

  public static Tunnel open(ClientConnection connection, ChannelHandler handler) {
    return Await.get(openAsync(connection, handler));
  }

  /** A client that speaks single frames, after its TLS handshake and SETTINGS. */
  public FrameConnection rawClient() throws IOException {
    return rawClient(Map.of());
  }

  public FrameConnection rawClient(Map<Frame.Setting, Integer> settings) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            PeerTls.of(pki, CLIENT.toString())
                .getSocketFactory()
                .createSocket(address.getAddress(), address.getPort());
    socket.setTcpNoDelay(true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    parameters.setEndpointIdentificationAlgorithm(null);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    FrameConnection connection = FrameConnection.connected(socket);
    connection.sendSettings(settings);
    return connection;
  }

  /** Asks a question on the connection's loop. */
  public static <T> T on(ClientConnection connection, Callable<T> question) {
    return Await.get(connection.eventLoop().submit(question));
  }

  @Override
  public void close() {
    for (Future<ClientConnection> connecting : dialled) {
      connecting.awaitUninterruptibly();
      if (connecting.isSuccess()) {
        ClientConnection connection = connecting.getNow();
        connection.eventLoop().execute(connection::closeNow);
        Await.get(connection.closed());
      }
    }
    Await.get(server.drain(Duration.ZERO));
    Await.get(group.shutdownGracefully(0, 5, TimeUnit.SECONDS));
    serverTls.close();
    clientTls.close();
    serverSource.close();
    clientSource.close();
  }
}
