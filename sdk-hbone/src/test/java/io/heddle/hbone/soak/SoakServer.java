// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.netty.HboneServer;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelRequest;
import io.heddle.hbone.rig.Await;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.netty.MeshTls;
import io.heddle.testing.SettableSource;
import io.heddle.testing.TestPki;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server that is drained and bound again on its port, as often as the soak wants. */
final class SoakServer implements AutoCloseable {
  final SpiffeId id;
  final InetSocketAddress address;
  private final TestPki pki;
  private final SettableSource source;
  private final MeshTls tls;
  private final HboneSettings settings;
  private final @Nullable EventLoopGroup loops;
  private final Round round;
  private final List<ServerLife> lives = new ArrayList<>();
  private final List<Future<Void>> drains = new ArrayList<>();
  private final AtomicInteger open = new AtomicInteger();

  /**
   * @param loops shared with others, or null for loops of its own in each life
   */
  SoakServer(
      Round round,
      TestPki pki,
      String name,
      HboneSettings settings,
      @Nullable EventLoopGroup loops) {
    this.round = round;
    this.pki = pki;
    this.settings = settings;
    this.loops = loops;
    id = SpiffeId.workload(pki.trustDomain(), "shop", name);
    source = pki.source(id.toString());
    tls = MeshTls.builder(source).build();
    address = Await.get(live(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
  }

  private Future<InetSocketAddress> live(InetSocketAddress at) {
    ServerLife[] life = new ServerLife[1];
    HboneServer.Builder builder =
        HboneServer.builder(tls, request -> onConnect(request, life[0])).settings(settings);
    if (loops != null) {
      builder.eventLoopGroup(loops);
    }
    HboneServer server = builder.build();
    life[0] = new ServerLife(server);
    synchronized (lives) {
      lives.add(life[0]);
    }
    return server.bind(at);
  }

  private void onConnect(TunnelRequest request, ServerLife life) {
    Passage passage = round.passage(request.headers());
    passage.arrivedAt(life);
    switch (passage.plan.kind()) {
      case REFUSED -> {
        request.refuse(503);
        over(passage);
      }
      case ANSWER_DELAYED, OPEN_ABORTED -> {
        passage.count(Happening.ANSWER_DELAYED);
        request
            .eventLoop()
            .schedule(
                () -> accept(request, passage), passage.plan.delayMicros(), TimeUnit.MICROSECONDS);
      }
      default -> accept(request, passage);
    }
  }

  private void accept(TunnelRequest request, Passage passage) {
    open.incrementAndGet();
    boolean given = request.cancelled().isSuccess();
    Tunnel tunnel = request.accept(null, passage.server);
    tunnel
        .closeFuture()
        .addListener(
            closed -> {
              if (!given) {
                passage.server.closed(
                    passage.wasDrained() || round.relay(this).harmedServer(passage.server.port()));
              }
              over(passage);
              open.decrementAndGet();
            });
  }

  private void over(Passage passage) {
    passage.serverOver();
    round.forgetIfOver(passage);
  }

  void rotate() {
    source.set(pki.snapshot(id.toString()));
  }

  /** Ends this life and begins the next one. */
  void restart(Duration grace) {
    drains.add(last().drain(grace));
    Await.until(
        "the port of the drained server is free",
        () -> {
          Future<InetSocketAddress> bound = live(address);
          bound.awaitUninterruptibly();
          if (!bound.isSuccess()) {
            discardLast();
          }
          return bound.isSuccess();
        });
  }

  private void discardLast() {
    ServerLife unborn;
    synchronized (lives) {
      unborn = lives.remove(lives.size() - 1);
    }
    drains.add(unborn.drain(Duration.ZERO));
  }

  private ServerLife last() {
    synchronized (lives) {
      return lives.get(lives.size() - 1);
    }
  }

  /** Tunnels that were accepted and are not closed. */
  int open() {
    return open.get();
  }

  int connections() {
    synchronized (lives) {
      return lives.stream().mapToInt(ServerLife::connections).sum();
    }
  }

  @Override
  public void close() {
    drains.add(last().drain(Duration.ofSeconds(10)));
    for (Future<Void> drained : drains) {
      Await.get(drained);
    }
    tls.close();
    source.close();
  }
}
