// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerRejection;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import io.heddle.testing.ForeignPeer;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestAuthority;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A session is never resumed past the judgement of the peer. */
abstract class ResumptionContract extends TlsContract {

  @Test
  @DisplayName(
      "ID-077 a client that tries to resume is validated in full, and refused once its CA is gone")
  void hostileResumption() throws Exception {
    TestAuthority old = TestAuthority.root("old root", Clock.systemUTC());
    TrustBundles before =
        TrustBundles.of(
            TrustBundle.of(
                pki.trustDomain(), List.of(pki.root().certificate(), old.certificate())));
    SettableSource web = SettableSource.of(pki.snapshot(pki.svid(WEB), before));
    MeshNetwork.Server server = network.serve(tls(web));
    ForeignPeer hostile = ForeignPeer.presenting(old.leaf(DB));

    try (SSLSocket first = hostile.dial(server.address())) {
      exchange(first);
    }
    assertThat(MeshNetwork.settled(server.next().peer()).isSuccess()).isTrue();
    web.set(pki.snapshot(web.current().svid(), pki.bundles()));

    try (SSLSocket second = hostile.dial(server.address())) {
      assertThatThrownBy(() -> exchange(second)).isInstanceOf(IOException.class);
    }
    assertThat(rejection(MeshNetwork.settled(server.next().peer())))
        .isEqualTo(PeerRejection.NO_PATH);
  }

  /** One byte there and back: in TLS 1.3 tickets arrive with the first data. */
  private static void exchange(SSLSocket socket) throws IOException {
    socket.getOutputStream().write(7);
    if (socket.getInputStream().read() != 7) {
      throw new IOException("the server ended the connection");
    }
  }

  @Test
  @DisplayName("the same client does resume where a server lets it")
  void theClientIsHostileIndeed() throws Exception {
    ForeignPeer lax = ForeignPeer.presenting(pki.root().leaf(WEB));
    ForeignPeer hostile = ForeignPeer.presenting(pki.root().leaf(DB));
    ExecutorService serving = Executors.newSingleThreadExecutor();
    try (SSLServerSocket listener = lax.listen()) {
      InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
      for (int i = 0; i < 2; i++) {
        java.util.concurrent.Future<?> echo =
            serving.submit(
                () -> {
                  try (SSLSocket accepted = (SSLSocket) listener.accept()) {
                    accepted.getOutputStream().write(accepted.getInputStream().read());
                  }
                  return null;
                });
        try (SSLSocket socket = hostile.dial(address)) {
          exchange(socket);
        }
        echo.get();
      }
    } finally {
      serving.shutdownNow();
    }

    assertThat(lax.judgements()).as("the second connection was not judged").isEqualTo(1);
  }

  @Test
  @DisplayName(
      "ID-078 on a second connection the peer is judged again, by trust manager and on completion")
  void judgedEveryTime() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    PeerAuthorizer counting =
        peer -> {
          asked.incrementAndGet();
          return peer.equals(SpiffeId.parse(WEB));
        };
    MeshNetwork.Server server = network.serve(tls(WEB));
    MeshTls client = tls(DB);

    MeshNetwork.settled(network.dial(client, counting, server).peer()).get();
    int afterFirst = asked.get();
    MeshNetwork.settled(network.dial(client, counting, server).peer()).get();

    assertThat(afterFirst).isEqualTo(2);
    assertThat(asked).hasValue(4);
  }

  @Test
  @DisplayName("a peer that the engine let through unjudged is refused on completion")
  void completionCheckStandsAlone() throws Exception {
    MeshNetwork.Server server = network.serve(tls(DB));
    MeshTls client = tls(pki.source(DB));
    ForeignPeer unjudging = ForeignPeer.presenting(pki.root().leaf(DB));
    MeshNetwork.Inbox inbox = new MeshNetwork.Inbox();

    Future<PeerSvid> peer = dialUnjudging(client, unjudging, server, inbox);

    assertThat(rejection(MeshNetwork.settled(peer))).isEqualTo(PeerRejection.NOT_AUTHORIZED);
    assertThat(inbox.sawActivation()).isFalse();
  }

  /** Dials with an engine whose own trust manager accepts everybody. */
  private Future<PeerSvid> dialUnjudging(
      MeshTls client, ForeignPeer engines, MeshNetwork.Server server, MeshNetwork.Inbox inbox) {
    Promise<PeerSvid> peer = network.loops().next().newPromise();
    network.connect(
        server.address(),
        (Channel channel) -> {
          channel
              .pipeline()
              .addLast(
                  new MeshHandshake(
                      client, allocator -> engines.clientHandler(), snapshot -> TO_WEB, peer));
          channel.pipeline().addLast(inbox);
        });
    return peer;
  }
}
