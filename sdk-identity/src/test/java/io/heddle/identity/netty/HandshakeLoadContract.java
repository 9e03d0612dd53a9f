// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.internal.x509.PeerValidator;
import io.heddle.testing.ForeignPeer;
import io.heddle.testing.KeyKind;
import io.heddle.testing.SettableSource;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.Socket;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many handshakes, and peers that break off. */
abstract class HandshakeLoadContract extends TlsContract {

  /** How many peers connect: the engines differ tenfold in speed. */
  abstract int newPeers();

  @Test
  @DisplayName("ID-099 new peers are validated away from the event loops, which stay responsive")
  void validationLeavesTheLoopsAlone() throws Exception {
    Set<String> judging = ConcurrentHashMap.newKeySet();
    PeerAuthorizer observing =
        peer -> {
          judging.add(Thread.currentThread().getName());
          return peer.equals(SpiffeId.parse(WEB));
        };
    SettableSource web = pki.source(WEB);
    SettableSource db = pki.source(DB);
    MeshTls serving = tls(web);
    MeshTls client = tls(db);
    MeshNetwork.Server server = network.serve(serving);
    KeyPair keys = KeyKind.P256.generate();
    List<Probe> probes = new ArrayList<>();
    network.loops().forEach(loop -> probes.add(new Probe((EventLoop) loop)));

    List<MeshNetwork.Dialled> dialled = new ArrayList<>();
    for (int i = 0; i < newPeers(); i++) {
      db.set(pki.snapshot(pki.root().leaf().uri(DB).key(keys).issue().svid(), pki.bundles()));
      dialled.add(network.dial(client, observing, server));
    }
    for (MeshNetwork.Dialled connection : dialled) {
      MeshNetwork.settled(connection.peer()).get();
      MeshNetwork.settled(server.next().peer()).get();
    }

    // A certificate new to the server costs a search for a path, which ran on its own threads; the
    // completion check on the event loop always found the answer remembered.
    PeerValidator.Statistics statistics = serving.validator().statistics();
    assertThat(statistics.pathSearches()).isBetween(newPeers() / 2L, (long) newPeers());
    assertThat(statistics.cacheHits()).isEqualTo(2L * newPeers() - statistics.pathSearches());
    assertThat(judging).anyMatch(thread -> thread.startsWith("heddle-handshake-"));
    for (Probe probe : probes) {
      assertThat(probe.percentile99()).isLessThan(TimeUnit.MILLISECONDS.toNanos(500));
    }
  }

  /** Measures how late a loop runs a task that is due every five milliseconds. */
  private static final class Probe {

    private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(5);

    private final ConcurrentLinkedQueue<Long> delays = new ConcurrentLinkedQueue<>();
    private final AtomicLong due = new AtomicLong(System.nanoTime());
    private final ScheduledFuture<?> ticking;

    Probe(EventLoop loop) {
      ticking =
          loop.scheduleWithFixedDelay(
              () -> {
                long now = System.nanoTime();
                delays.add(now - due.get());
                due.set(now + PERIOD);
              },
              0,
              PERIOD,
              TimeUnit.NANOSECONDS);
    }

    long percentile99() {
      ticking.cancel(false);
      long[] sorted = delays.stream().mapToLong(Long::longValue).sorted().toArray();
      assertThat(sorted).as("the loop never ran").isNotEmpty();
      return Arrays.stream(sorted).skip(sorted.length * 99L / 100).findFirst().getAsLong();
    }
  }

  @Test
  @DisplayName(
      "B032 peers that reset at once, or in the middle of a handshake, leave nothing behind")
  void abruptEnds() throws Exception {
    MeshTls serving = tls(WEB);
    MeshNetwork.Server server = network.serve(serving);
    byte[] startOfHello = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00};

    for (int i = 0; i < 300; i++) {
      byte[] sent = i % 2 == 0 ? new byte[0] : startOfHello;
      resetAfter(sent, server);
      assertThat(MeshNetwork.settled(server.next().peer()).isSuccess()).isFalse();
    }

    PeerSvid good = MeshNetwork.settled(network.dial(tls(DB), TO_WEB, server).peer()).get();
    MeshNetwork.settled(server.next().peer()).get();
    assertThat(good.id()).hasToString(WEB);
    assertThat(serving.handshakes().size()).isZero();
  }

  private static void resetAfter(byte[] sent, MeshNetwork.Server server) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(server.address());
      socket.getOutputStream().write(sent);
      socket.setSoLinger(true, 0);
    }
  }

  @Test
  @DisplayName(
      "a client that hangs up while its certificate is being validated leaves nothing behind")
  void hangsUpDuringValidation() throws Exception {
    MeshTls serving = tls(WEB);
    MeshNetwork.Server server = network.serve(serving);
    ForeignPeer client = ForeignPeer.presenting(pki.root().leaf(DB));

    for (int i = 0; i < 20; i++) {
      SSLSocket socket = client.dial(server.address());
      socket.setSoLinger(true, 0);
      socket.startHandshake();
      socket.close();
      // Whichever came first, the verdict or the reset.
      MeshNetwork.settled(server.next().peer());
    }

    assertThat(serving.handshakes().size()).isZero();
  }
}
