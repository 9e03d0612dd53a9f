// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejectedException;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.X509Svid;
import io.heddle.identity.internal.x509.PeerRole;
import io.heddle.testing.ForeignPeer;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import io.heddle.testing.X509Vector;
import io.heddle.testing.X509Vectors;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of chain, presented in a real handshake. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PeerVectorsContract {

  private static final Clock CLOCK = Clock.systemUTC();
  private static final List<X509Vector> VECTORS = X509Vectors.all(CLOCK);

  private final MeshNetwork network = new MeshNetwork();
  private final TestPki own = TestPki.create("a.test", CLOCK);
  private final X509Svid svid = own.svid("spiffe://a.test/ns/shop/sa/own");

  abstract TlsProvider provider();

  /** Whether the engine knows how to verify handshake signatures by such a key at all. */
  abstract boolean knowsKeysLike(X509Vector vector);

  static List<X509Vector> vectors() {
    return VECTORS;
  }

  @AfterAll
  void close() {
    network.close();
  }

  @ParameterizedTest(name = "ID-006 {0}")
  @MethodSource("vectors")
  void verdict(X509Vector vector) throws Exception {
    try (MeshTls tls = tls(vector.bundles())) {
      Future<PeerSvid> peer =
          vector.role() == PeerRole.CLIENT ? asClient(vector, tls) : asServer(vector, tls);

      if (vector.rejection().isEmpty() && knowsKeysLike(vector)) {
        assertThat(peer.isSuccess()).as("%s", peer.cause()).isTrue();
        assertThat(peer.getNow().chain()).isEqualTo(vector.chain());
      } else {
        assertThat(peer.isSuccess()).isFalse();
        // An engine may refuse a broken certificate by itself; if we are asked, we give our reason.
        refusal(peer.cause())
            .ifPresent(refused -> assertThat(vector.rejection()).contains(refused.reason()));
      }
    }
  }

  private MeshTls tls(TrustBundles bundles) {
    return MeshTls.builder(SettableSource.of(own.snapshot(svid, bundles)))
        .provider(provider())
        .build();
  }

  private Future<PeerSvid> asClient(X509Vector vector, MeshTls tls) throws Exception {
    MeshNetwork.Server server =
        network.serve(pipeline -> tls.addServer(pipeline, PeerAuthorizer.anyPeer()));
    try (SSLSocket client =
        ForeignPeer.presenting(vector.chain(), vector.privateKey()).dial(server.address())) {
      client.startHandshake();
      return MeshNetwork.settled(server.next().peer());
    } catch (IOException refusedAtOnce) {
      return MeshNetwork.settled(server.next().peer());
    }
  }

  private Future<PeerSvid> asServer(X509Vector vector, MeshTls tls) throws Exception {
    ForeignPeer foreign = ForeignPeer.presenting(vector.chain(), vector.privateKey());
    try (SSLServerSocket listener = foreign.listen()) {
      Future<PeerSvid> peer =
          network
              .dial(
                  tls,
                  PeerAuthorizer.anyPeer(),
                  (InetSocketAddress) listener.getLocalSocketAddress(),
                  new MeshNetwork.Inbox())
              .peer();
      try (SSLSocket accepted = (SSLSocket) listener.accept()) {
        accepted.startHandshake();
        return MeshNetwork.settled(peer);
      } catch (IOException refusedAtOnce) {
        return MeshNetwork.settled(peer);
      }
    }
  }

  private static Optional<PeerRejectedException> refusal(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PeerRejectedException refused) {
        return Optional.of(refused);
      }
    }
    return Optional.empty();
  }
}
