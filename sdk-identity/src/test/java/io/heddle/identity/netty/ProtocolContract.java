// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.PeerSvid;
import io.heddle.testing.ForeignPeer;
import io.heddle.testing.IssuedCertificate;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.concurrent.Future;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is spoken, what is demanded of a peer that speaks otherwise, and how a connection ends. */
abstract class ProtocolContract extends TlsContract {

  @Test
  @DisplayName("ID-083 a peer that speaks only TLS 1.2 is refused")
  void tls12Refused() throws Exception {
    MeshNetwork.Server server = network.serve(tls(WEB));
    ForeignPeer old = ForeignPeer.presenting(pki.root().leaf(DB)).versions("TLSv1.2");

    try (SSLSocket client = old.dial(server.address())) {
      assertThatThrownBy(client::startHandshake).hasMessageContaining("protocol_version");
    }

    assertThat(MeshNetwork.settled(server.next().peer()).isSuccess()).isFalse();
  }

  @Test
  @DisplayName("ID-084 a client without a certificate is refused")
  void certificateRequired() throws Exception {
    MeshNetwork.Server server = network.serve(tls(WEB));

    try (SSLSocket client = ForeignPeer.anonymous().dial(server.address())) {
      assertThatThrownBy(
              () -> {
                client.startHandshake();
                client.getInputStream().read();
              })
          .satisfies(
              failure ->
                  assertThat(PeerAlert.in(failure))
                      .hasValueSatisfying(
                          alert -> assertThat(alert.rejectsCertificate()).isTrue()));
    }

    assertThat(MeshNetwork.settled(server.next().peer()).isSuccess()).isFalse();
  }

  @Test
  @DisplayName("a client that does not speak h2 is refused, whether it offers nothing or another")
  void serverDemandsAlpn() throws Exception {
    MeshNetwork.Server server = network.serve(tls(WEB));
    IssuedCertificate db = pki.root().leaf(DB);

    for (String[] offered : List.of(new String[0], new String[] {"http/1.1"})) {
      try (SSLSocket client =
          ForeignPeer.presenting(db).protocols(offered).dial(server.address())) {
        assertThatThrownBy(
                () -> {
                  client.startHandshake();
                  if (client.getInputStream().read() < 0) {
                    throw new EOFException();
                  }
                })
            .isInstanceOf(IOException.class);
      }
      Future<PeerSvid> atServer = MeshNetwork.settled(server.next().peer());
      assertThat(atServer.cause()).isInstanceOf(SSLException.class);
    }
  }

  @Test
  @DisplayName("a server that does not choose h2 is refused")
  void clientDemandsAlpn() throws Exception {
    ForeignPeer foreign = ForeignPeer.presenting(pki.root().leaf(WEB)).protocols();
    try (SSLServerSocket listener = foreign.listen()) {
      MeshNetwork.Inbox inbox = new MeshNetwork.Inbox();
      Future<PeerSvid> peer =
          network
              .dial(tls(DB), TO_WEB, (InetSocketAddress) listener.getLocalSocketAddress(), inbox)
              .peer();
      try (SSLSocket accepted = (SSLSocket) listener.accept()) {
        accepted.startHandshake();
        assertThat(MeshNetwork.settled(peer).cause()).hasMessageContaining("ALPN h2");
        assertThat(inbox.sawActivation()).isFalse();
      }
    }
  }

  @Test
  @DisplayName("a client sends no server name, and speaks TLS 1.3")
  void noServerName() throws Exception {
    ForeignPeer foreign = ForeignPeer.presenting(pki.root().leaf(WEB));
    try (SSLServerSocket listener = foreign.listen()) {
      Future<PeerSvid> peer =
          network
              .dial(
                  tls(DB),
                  TO_WEB,
                  (InetSocketAddress) listener.getLocalSocketAddress(),
                  new MeshNetwork.Inbox())
              .peer();
      try (SSLSocket accepted = (SSLSocket) listener.accept()) {
        accepted.startHandshake();
        ExtendedSSLSession session = (ExtendedSSLSession) accepted.getSession();
        assertThat(session.getRequestedServerNames()).isEmpty();
        assertThat(session.getProtocol()).isEqualTo("TLSv1.3");
        assertThat(MeshNetwork.settled(peer).isSuccess()).isTrue();
      }
    }
  }

  @Test
  @DisplayName("B050 a silent peer ends in a timeout that names the handshake")
  void silentPeer() throws Exception {
    MeshTls hasty =
        opened(builder(pki.source(DB)).handshakeTimeout(Duration.ofMillis(300)).build());
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Future<PeerSvid> peer =
          network
              .dial(
                  hasty,
                  TO_WEB,
                  (InetSocketAddress) silent.getLocalSocketAddress(),
                  new MeshNetwork.Inbox())
              .peer();

      assertThat(MeshNetwork.settled(peer).cause())
          .isInstanceOf(SslHandshakeTimeoutException.class);
      assertThat(hasty.handshakes().size()).isZero();
    }
  }

  @Test
  @DisplayName("what is written before the peer is accepted fails and is not sent")
  void writesTooEarly() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      MeshNetwork.Dialled dialled =
          network.dial(
              tls(DB),
              TO_WEB,
              (InetSocketAddress) silent.getLocalSocketAddress(),
              new MeshNetwork.Inbox());

      Future<?> write =
          dialled.channel().writeAndFlush(Unpooled.copiedBuffer("secret", UTF_8)).await();

      assertThat(write.cause()).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  @DisplayName("a channel that never connects fails its future")
  void neverConnects() throws Exception {
    InetSocketAddress nobody;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = (InetSocketAddress) closed.getLocalSocketAddress();
    }
    AtomicReference<Future<PeerSvid>> peer = new AtomicReference<>();
    MeshTls tls = tls(DB);

    assertThatThrownBy(
            () ->
                network.connect(
                    nobody, channel -> peer.set(tls.addClient(channel.pipeline(), TO_WEB))))
        .isInstanceOf(ConnectException.class);

    assertThat(MeshNetwork.settled(peer.get()).cause()).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  @DisplayName("closed, it refuses new handshakes and keeps connections; closing twice is harmless")
  void closing() throws Exception {
    MeshNetwork.Server server = network.serve(tls(WEB));
    MeshTls client = tls(DB);
    MeshNetwork.Inbox inbox = new MeshNetwork.Inbox();
    MeshNetwork.Dialled standing = network.dial(client, TO_WEB, server, inbox);
    MeshNetwork.settled(standing.peer()).get();

    client.close();
    client.close();

    Future<PeerSvid> late = MeshNetwork.settled(network.dial(client, TO_WEB, server).peer());
    assertThat(late.cause())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    standing.channel().writeAndFlush(Unpooled.copiedBuffer("hello", UTF_8));
    assertThat(inbox.bytes(5)).hasSize(5);
  }

  @Test
  @DisplayName("a handshake timeout below a millisecond is refused when building")
  void timeoutOfNothing() {
    assertThatThrownBy(() -> builder(pki.source(DB)).handshakeTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("handshakeTimeout");
  }
}
