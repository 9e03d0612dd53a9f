// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.Authority;
import io.heddle.hbone.HboneSettings;
import io.heddle.hbone.HboneSettingsBuilder;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.netty.PoolStatistics;
import io.heddle.hbone.netty.Tunnel;
import io.heddle.hbone.netty.TunnelTarget;
import io.heddle.identity.SpiffeId;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A pool on an event loop whose time and turns are the test's, above fake connections. */
final class PoolFixture {

  static final TunnelTarget WEB = target("127.0.0.1", 15008);

  private static final ChannelHandler NO_HANDLER = new ChannelInboundHandlerAdapter();

  private final EmbeddedChannel clock = new EmbeddedChannel();
  private final List<Promise<ClientConnection>> dials = new ArrayList<>();
  private final List<EventLoop> dialLoops = new ArrayList<>();
  final EventLoop loop = clock.eventLoop();
  final ConnectionPool pool;

  PoolFixture(UnaryOperator<HboneSettingsBuilder> changes) {
    this(changes, 0);
  }

  PoolFixture(UnaryOperator<HboneSettingsBuilder> changes, int sparePercent) {
    clock.freezeTime();
    HboneSettings settings = changes.apply(HboneSettings.defaults().toBuilder()).build();
    pool =
        new ConnectionPool(
            loop,
            settings,
            sparePercent,
            (dialLoop, target) -> {
              Promise<ClientConnection> dial = loop.newPromise();
              dials.add(dial);
              dialLoops.add(dialLoop);
              return dial;
            });
  }

  static TunnelTarget target(String host, int port) {
    return new TunnelTarget(
        new InetSocketAddress(host, port),
        List.of(SpiffeId.parse("spiffe://cluster.local/ns/shop/sa/web")),
        null,
        Authority.parse("10.0.0.1:80"),
        TunnelHeaders.NONE);
  }

  Future<Tunnel> open() {
    return pool.open(WEB, NO_HANDLER, loop);
  }

  List<Future<Tunnel>> open(int times) {
    List<Future<Tunnel>> futures = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      futures.add(open());
    }
    return futures;
  }

  Future<Tunnel> openOn(EventLoop preferred) {
    return pool.open(WEB, NO_HANDLER, preferred);
  }

  int dials() {
    return dials.size();
  }

  EventLoop loopOfDial(int n) {
    return dialLoops.get(n);
  }

  Future<ClientConnection> dial(int n) {
    return dials.get(n);
  }

  /** Lets the newest dial succeed. */
  FakeConnection connect(int limit) {
    FakeConnection connection = new FakeConnection(loop, limit);
    connect(connection);
    return connection;
  }

  void connect(FakeConnection connection) {
    dials.get(dials.size() - 1).setSuccess(connection);
    turn();
  }

  void failDial() {
    dials
        .get(dials.size() - 1)
        .setFailure(new TunnelException.ConnectFailed(TunnelException.Phase.TCP, "refused", null));
    turn();
  }

  void turn() {
    clock.runPendingTasks();
  }

  void pass(Duration time) {
    clock.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
    clock.runScheduledPendingTasks();
    clock.runPendingTasks();
  }

  /** -1 when nothing is scheduled any more. */
  long nextTimer() {
    return clock.runScheduledPendingTasks();
  }

  PoolStatistics statistics() {
    return pool.statistics();
  }
}
