// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.IdentitySnapshot;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.TrustBundle;
import io.heddle.identity.TrustBundles;
import io.heddle.identity.X509Svid;
import io.heddle.testing.ForeignPeer;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestAuthority;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Identities that change while connections are made and used. */
abstract class RotationContract extends TlsContract {

  /** How many handshakes the storm makes: the engines differ tenfold in speed. */
  abstract int stormHandshakes();

  @Test
  @DisplayName("ID-074 a connection with traffic loses no byte over 20 rotations")
  void trafficOverRotations() throws Exception {
    SettableSource web = pki.source(WEB);
    SettableSource db = pki.source(DB);
    MeshNetwork.Server server = network.serve(tls(web));
    MeshNetwork.Inbox inbox = new MeshNetwork.Inbox();
    MeshNetwork.Dialled dialled = network.dial(tls(db), TO_WEB, server, inbox);
    MeshNetwork.settled(dialled.peer()).get();
    Random random = new Random(74);

    for (int i = 0; i < 20; i++) {
      byte[] chunk = new byte[50_000];
      random.nextBytes(chunk);
      dialled.channel().writeAndFlush(Unpooled.wrappedBuffer(chunk));
      web.set(pki.snapshot(WEB));
      db.set(pki.snapshot(DB));
      assertThat(inbox.bytes(chunk.length)).isEqualTo(chunk);
    }

    assertThat(dialled.channel().isActive()).isTrue();
    assertThat(server.accepted()).as("one connection did it all").hasSize(1);
  }

  @Test
  @DisplayName("ID-075 no handshake fails while both identities change a thousand times a second")
  void rotationStorm() throws Exception {
    SettableSource web = pki.source(WEB);
    SettableSource db = pki.source(DB);
    MeshNetwork.Server server = network.serve(tls(web));
    MeshTls client = tls(db);
    Storm storm = new Storm(web, db);
    Set<BigInteger> serials = ConcurrentHashMap.newKeySet();
    ExecutorService dialers = Executors.newFixedThreadPool(4);
    try (storm) {
      List<Callable<Void>> dials = new ArrayList<>();
      for (int i = 0; i < stormHandshakes(); i++) {
        dials.add(
            () -> {
              MeshNetwork.Inbox inbox = new MeshNetwork.Inbox();
              MeshNetwork.Dialled dialled = network.dial(client, TO_WEB, server, inbox);
              PeerSvid peer = MeshNetwork.settled(dialled.peer()).get();
              serials.add(peer.chain().get(0).getSerialNumber());
              // An answer: the server's verdict on our chain and key was good as well.
              dialled.channel().writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1}));
              assertThat(inbox.bytes(1)).containsExactly(1);
              dialled.channel().close();
              return null;
            });
      }
      for (java.util.concurrent.Future<Void> dial : dialers.invokeAll(dials)) {
        dial.get();
      }
    } finally {
      dialers.shutdownNow();
    }

    assertThat(serials).as("the storm was felt").hasSizeGreaterThan(3);
    assertThat(storm.rotations()).isGreaterThan(stormHandshakes() / 20);
  }

  /** Changes two identities every millisecond, out of certificates made beforehand. */
  private final class Storm implements AutoCloseable {

    private final AtomicBoolean over = new AtomicBoolean();
    private final Thread thread;
    private volatile int rotations;

    Storm(SettableSource web, SettableSource db) {
      List<X509Svid> webs = new ArrayList<>();
      List<X509Svid> dbs = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        webs.add(pki.svid(WEB));
        dbs.add(pki.svid(DB));
      }
      TrustBundles bundles = pki.bundles();
      thread =
          new Thread(
              () -> {
                for (int i = 0; !over.get(); i++) {
                  web.set(pki.snapshot(webs.get(i % webs.size()), bundles));
                  db.set(pki.snapshot(dbs.get(i % dbs.size()), bundles));
                  rotations = i;
                  LockSupport.parkNanos(1_000_000);
                }
              },
              "storm");
      thread.start();
    }

    int rotations() {
      return rotations;
    }

    @Override
    public void close() throws InterruptedException {
      over.set(true);
      thread.join();
    }
  }

  @Test
  @DisplayName(
      "ID-076 after a rotation the next handshake presents the new certificate, at both ends")
  void newSerialAtOnce() throws Exception {
    SettableSource web = pki.source(WEB);
    SettableSource db = pki.source(DB);
    MeshNetwork.Server server = network.serve(tls(web));
    MeshTls client = tls(db);
    MeshNetwork.settled(network.dial(client, TO_WEB, server).peer()).get();
    MeshNetwork.settled(server.next().peer()).get();

    web.set(pki.snapshot(WEB));
    db.set(pki.snapshot(DB));
    PeerSvid seenByClient = MeshNetwork.settled(network.dial(client, TO_WEB, server).peer()).get();
    PeerSvid seenByServer = MeshNetwork.settled(server.next().peer()).get();

    assertThat(seenByClient.chain()).isEqualTo(web.current().svid().chain());
    assertThat(seenByServer.chain()).isEqualTo(db.current().svid().chain());
  }

  @Test
  @DisplayName("ID-085 a hundred rotations leave no snapshot behind but the current one")
  void snapshotsAreReleased() throws Exception {
    SettableSource web = pki.source(WEB);
    MeshTls serving = tls(web);
    MeshNetwork.Server server = network.serve(serving);
    MeshTls client = tls(DB);
    List<WeakReference<IdentitySnapshot>> given = new ArrayList<>();

    for (int i = 0; i < 100; i++) {
      web.set(pki.snapshot(web.current().svid(), pki.bundles()));
      given.add(new WeakReference<>(web.current()));
      if (i % 5 == 0) {
        // These connections stay open to the end.
        MeshNetwork.settled(network.dial(client, TO_WEB, server).peer()).get();
        MeshNetwork.settled(server.next().peer()).get();
      }
    }

    assertThat(serving.handshakes().size()).isZero();
    assertThat(reachableAfterCollection(given)).isEqualTo(1);
  }

  private static long reachableAfterCollection(List<? extends WeakReference<?>> references) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MeshNetwork.DEADLINE_SECONDS);
    long reachable;
    do {
      System.gc();
      reachable = references.stream().filter(reference -> reference.get() != null).count();
    } while (reachable > 1 && System.nanoTime() < deadline);
    return reachable;
  }

  @Test
  @DisplayName("TLS-01 with two roots in one bundle, handshakes under each succeed")
  void twoRoots() throws Exception {
    TestAuthority second = TestAuthority.root("second root", Clock.systemUTC());
    TrustBundles both =
        TrustBundles.of(
            TrustBundle.of(
                pki.trustDomain(), List.of(pki.root().certificate(), second.certificate())));
    SettableSource web = SettableSource.of(pki.snapshot(pki.svid(WEB), both));
    MeshNetwork.Server server = network.serve(tls(web));
    MeshTls client = tls(SettableSource.of(pki.snapshot(pki.svid(DB), both)));

    Future<PeerSvid> underFirst = network.dial(client, TO_WEB, server).peer();
    MeshNetwork.settled(underFirst);
    web.set(pki.snapshot(second.leaf(WEB).svid(), both));
    Future<PeerSvid> underSecond = network.dial(client, TO_WEB, server).peer();

    assertThat(underFirst.get().chain().get(0).getIssuerX500Principal())
        .isEqualTo(pki.root().certificate().getSubjectX500Principal());
    assertThat(MeshNetwork.settled(underSecond).get().chain().get(0).getIssuerX500Principal())
        .isEqualTo(second.certificate().getSubjectX500Principal());
  }

  @Test
  @DisplayName("a handshake under way keeps the identity that it began with")
  void pinnedIdentity() throws Exception {
    SettableSource db = pki.source(DB);
    X509Svid first = db.current().svid();
    ForeignPeer foreign = ForeignPeer.presenting(pki.root().leaf(WEB));
    try (SSLServerSocket listener = foreign.listen()) {
      MeshNetwork.Dialled dialled =
          network.dial(
              tls(db),
              TO_WEB,
              (InetSocketAddress) listener.getLocalSocketAddress(),
              new MeshNetwork.Inbox());
      try (SSLSocket accepted = (SSLSocket) listener.accept()) {
        // The client's hello is out, or at least its identity is taken; the server has not
        // answered.
        dialled.channel().eventLoop().submit(() -> {}).sync();
        db.set(pki.snapshot(DB));
        accepted.startHandshake();

        assertThat(accepted.getSession().getPeerCertificates()[0]).isEqualTo(first.leaf());
        assertThat(MeshNetwork.settled(dialled.peer()).isSuccess()).isTrue();
      }
    }
  }
}
