// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.IdentityException;
import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.testing.ForeignPeer;
import io.heddle.testing.IssuedCertificate;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestAuthority;
import io.heddle.testing.TestPki;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One handshake between two peers: who is accepted, who is refused, and how that shows. */
abstract class HandshakeContract extends TlsContract {

  @Test
  @DisplayName("both ends learn who the other is, and then bytes flow")
  void mutualIdentity() throws Exception {
    MeshNetwork.Server server = network.serve(tls(WEB));
    MeshNetwork.Inbox inbox = new MeshNetwork.Inbox();

    MeshNetwork.Dialled dialled = network.dial(tls(DB), TO_WEB, server, inbox);

    PeerSvid web = MeshNetwork.settled(dialled.peer()).get();
    MeshNetwork.Accepted accepted = server.next();
    PeerSvid db = MeshNetwork.settled(accepted.peer()).get();
    dialled.channel().writeAndFlush(Unpooled.copiedBuffer("hello", UTF_8));
    assertThat(inbox.bytes(5)).isEqualTo("hello".getBytes(UTF_8));
    assertThat(web.id()).hasToString(WEB);
    assertThat(db.id()).hasToString(DB);
    assertThat(dialled.channel().attr(MeshTls.PEER).get()).isEqualTo(web);
    assertThat(accepted.channel().attr(MeshTls.PEER).get()).isEqualTo(db);
    assertThat(dialled.channel().pipeline().get(MeshHandshake.class)).isNull();
  }

  @Test
  @DisplayName("B025 a peer whose certificate names no host is accepted by its SPIFFE ID")
  void noHostNameCheck() throws Exception {
    MeshNetwork.Server server = network.serve(tls(WEB));

    Future<PeerSvid> peer = MeshNetwork.settled(network.dial(tls(DB), TO_WEB, server).peer());

    X509Certificate leaf = peer.get().chain().get(0);
    assertThat(leaf.getSubjectAlternativeNames())
        .singleElement()
        .satisfies(name -> assertThat(name.get(1)).isEqualTo(WEB));
  }

  @Test
  @DisplayName("B006 leaf and intermediate are presented in that order, both ways")
  void presentsIntermediates() throws Exception {
    TestAuthority intermediate = pki.root().intermediate("intermediate", 0);
    IssuedCertificate web = intermediate.leaf(WEB);
    IssuedCertificate db = intermediate.leaf(DB);
    MeshNetwork.Server server =
        network.serve(tls(SettableSource.of(pki.snapshot(web.svid(), pki.bundles()))));

    Future<PeerSvid> atClient =
        network
            .dial(tls(SettableSource.of(pki.snapshot(db.svid(), pki.bundles()))), TO_WEB, server)
            .peer();

    Future<PeerSvid> atServer = server.next().peer();
    assertThat(MeshNetwork.settled(atClient).get().chain())
        .containsExactly(web.certificate(), intermediate.certificate());
    assertThat(MeshNetwork.settled(atServer).get().chain())
        .containsExactly(db.certificate(), intermediate.certificate());
  }

  @Test
  @DisplayName("B006 an expired intermediate is refused and named, though the leaf is valid")
  void expiredIntermediate() throws Exception {
    TestAuthority intermediate =
        pki.root().intermediate("late intermediate", 0, Instant.now().minusSeconds(1));
    SettableSource web =
        SettableSource.of(pki.snapshot(intermediate.leaf(WEB).svid(), pki.bundles()));
    MeshNetwork.Server server = network.serve(tls(web));

    Future<PeerSvid> peer = MeshNetwork.settled(network.dial(tls(DB), TO_WEB, server).peer());

    assertThat(rejection(peer)).isEqualTo(PeerRejection.EXPIRED);
    assertThat(peer.cause()).hasStackTraceContaining("late intermediate");
  }

  @ParameterizedTest(name = "TLS-03 {0}")
  @CsvSource({
    "spiffe://mesh.test/ns/shop/sa/web, ",
    "spiffe://mesh.test/ns/shop/sa/webb, NOT_AUTHORIZED",
    "spiffe://mesh.test/ns/shop/sa/web/, BAD_SPIFFE_ID",
    "spiffe://mesh.test//ns/shop/sa/web, BAD_SPIFFE_ID",
    "spiffe://mesh.test, ROOT_PATH",
    "https://mesh.test/ns/shop/sa/web, BAD_SPIFFE_ID",
  })
  void identityStrings(String presented, PeerRejection expected) throws Exception {
    ForeignPeer foreign = ForeignPeer.presenting(pki.root().leaf(presented));
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
      } catch (IOException refused) {
        assertThat(expected).isNotNull();
      }

      MeshNetwork.settled(peer);
      if (expected == null) {
        assertThat(peer.get().id()).hasToString(presented);
      } else {
        assertThat(rejection(peer)).isEqualTo(expected);
      }
    }
  }

  @Test
  @DisplayName("ID-004 an empty allow-list is refused with a hint at accepting everybody")
  void emptyAllowList() {
    MeshTls tls = tls(DB);
    MeshNetwork.Server server = network.serve(tls(WEB));

    assertThatThrownBy(() -> network.dial(tls, PeerAuthorizer.oneOf(List.of()), server))
        .hasStackTraceContaining("PeerAuthorizer.anyPeer()");
  }

  @Test
  @DisplayName("ID-005 a live set that changes counts from the next handshake on")
  void liveSet() throws Exception {
    AtomicReference<Set<SpiffeId>> allowed = new AtomicReference<>(Set.of(SpiffeId.parse(DB)));
    PeerAuthorizer live = PeerAuthorizer.live(allowed::get);
    MeshNetwork.Server server = network.serve(tls(WEB));
    MeshTls client = tls(DB);

    Future<PeerSvid> before = MeshNetwork.settled(network.dial(client, live, server).peer());
    allowed.set(Set.of(SpiffeId.parse(WEB)));
    Future<PeerSvid> after = MeshNetwork.settled(network.dial(client, live, server).peer());

    assertThat(rejection(before)).isEqualTo(PeerRejection.NOT_AUTHORIZED);
    assertThat(after.get().id()).hasToString(WEB);
  }

  @Test
  @DisplayName("ID-010 host names in a certificate do not help a peer with another id")
  void hostNameDoesNotHelp() throws Exception {
    IssuedCertificate other =
        pki.root().leaf().subject("CN=127.0.0.1").uri(DB).dns("localhost").ip("127.0.0.1").issue();
    MeshNetwork.Server server =
        network.serve(tls(SettableSource.of(pki.snapshot(other.svid(), pki.bundles()))));

    Future<PeerSvid> peer = MeshNetwork.settled(network.dial(tls(DB), TO_WEB, server).peer());

    assertThat(rejection(peer)).isEqualTo(PeerRejection.NOT_AUTHORIZED);
  }

  @Test
  @DisplayName("ID-011 a certificate for another host is accepted if the id is right")
  void hostNameDoesNotHurt() throws Exception {
    IssuedCertificate web =
        pki.root().leaf().subject("CN=elsewhere.test").uri(WEB).dns("elsewhere.test").issue();
    MeshNetwork.Server server =
        network.serve(tls(SettableSource.of(pki.snapshot(web.svid(), pki.bundles()))));

    Future<PeerSvid> peer = MeshNetwork.settled(network.dial(tls(DB), TO_WEB, server).peer());

    assertThat(peer.get().id()).hasToString(WEB);
  }

  @Test
  @DisplayName("a client of another trust domain is refused, though its bundle is known")
  void otherTrustDomain() throws Exception {
    TestPki partner = TestPki.create("partner.test");
    MeshNetwork.Server server =
        network.serve(tls(SettableSource.of(pki.snapshot(pki.svid(WEB), pki.bundles(partner)))));
    String id = "spiffe://partner.test/ns/shop/sa/db";
    MeshTls client =
        tls(SettableSource.of(partner.snapshot(partner.svid(id), partner.bundles(pki))));

    network.dial(client, TO_WEB, server);

    Future<PeerSvid> atServer = MeshNetwork.settled(server.next().peer());
    assertThat(rejection(atServer)).isEqualTo(PeerRejection.NOT_AUTHORIZED);
  }

  @Test
  @DisplayName(
      "ID-079 a client that the server rejects is told so by an alert about its certificate")
  void clientRejected() throws Exception {
    TestPki stranger = TestPki.create("mesh.test");
    MeshNetwork.Server server = network.serve(tls(WEB));
    MeshTls client = tls(SettableSource.of(stranger.snapshot(stranger.svid(DB), pki.bundles())));
    MeshNetwork.Inbox inbox = new MeshNetwork.Inbox();

    MeshNetwork.Dialled dialled = network.dial(client, TO_WEB, server, inbox);

    assertThat(rejection(MeshNetwork.settled(server.next().peer())))
        .isEqualTo(PeerRejection.NO_PATH);
    // In TLS 1.3 the client's own handshake succeeds first; the verdict is the first thing it
    // reads.
    assertThat(MeshNetwork.settled(dialled.peer()).isSuccess()).isTrue();
    Object verdict = inbox.next();
    assertThat(verdict).isInstanceOf(Throwable.class);
    assertThat(PeerAlert.in((Throwable) verdict))
        .hasValueSatisfying(alert -> assertThat(alert.rejectsCertificate()).isTrue());
  }

  @Test
  @DisplayName("a server that the client rejects is told so by an alert about its certificate")
  void serverRejected() throws Exception {
    MeshNetwork.Server server = network.serve(tls(DB));

    Future<PeerSvid> atClient = MeshNetwork.settled(network.dial(tls(DB), TO_WEB, server).peer());

    Future<PeerSvid> atServer = MeshNetwork.settled(server.next().peer());
    assertThat(rejection(atClient)).isEqualTo(PeerRejection.NOT_AUTHORIZED);
    assertThat(PeerAlert.in(atServer.cause()))
        .hasValueSatisfying(alert -> assertThat(alert.rejectsCertificate()).isTrue());
  }

  @Test
  @DisplayName(
      "ID-082 with its own certificate expired a server refuses locally, naming the expiry")
  void ownCertificateExpired() throws Exception {
    MeshTls expired =
        tls(SettableSource.of(pki.snapshot(pki.svid(WEB, Duration.ofSeconds(-5)), pki.bundles())));
    MeshNetwork.Server server = network.serve(expired);

    try (Socket client = new Socket()) {
      client.connect(server.address());
      Future<PeerSvid> atServer = MeshNetwork.settled(server.next().peer());

      assertThat(atServer.cause())
          .isInstanceOf(IdentityException.Expired.class)
          .hasMessageContaining(WEB)
          .hasMessageContaining("expired at");
      assertThat(client.getInputStream().read()).as("no byte of TLS was sent").isEqualTo(-1);
    }
  }

  @Test
  @DisplayName("with its own certificate expired a client sends nothing")
  void ownClientCertificateExpired() throws Exception {
    MeshTls expired =
        tls(SettableSource.of(pki.snapshot(pki.svid(DB, Duration.ofSeconds(-5)), pki.bundles())));

    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Future<PeerSvid> peer =
          network
              .dial(
                  expired,
                  TO_WEB,
                  (InetSocketAddress) listener.getLocalSocketAddress(),
                  new MeshNetwork.Inbox())
              .peer();

      assertThat(MeshNetwork.settled(peer).cause()).isInstanceOf(IdentityException.Expired.class);
      try (Socket accepted = listener.accept()) {
        assertThat(accepted.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  @DisplayName("without an identity yet a handshake fails and says so")
  void noIdentityYet() throws Exception {
    MeshNetwork.Server server = network.serve(tls(WEB));

    Future<PeerSvid> peer =
        MeshNetwork.settled(network.dial(tls(SettableSource.empty()), TO_WEB, server).peer());

    assertThat(peer.cause()).isInstanceOf(IdentityException.Unavailable.class);
  }
}
