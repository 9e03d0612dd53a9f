// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.Tunnel;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {

  private static final TunnelException NOT_PROCESSED =
      new TunnelException.NotProcessed("GOAWAY was faster", null);

  @Test
  @DisplayName("callers of one target share one dial and its connection")
  void oneDialForAll() {
    PoolFixture pool = new PoolFixture(s -> s);

    List<Future<Tunnel>> tunnels = pool.open(100);
    FakeConnection connection = pool.connect(100);
    connection.acceptAll();

    assertThat(pool.dials()).isEqualTo(1);
    assertThat(tunnels).allMatch(Future::isSuccess);
  }

  @Test
  @DisplayName("a failed dial is the answer to all who wait; only a later caller dials again")
  void failureIsShared() {
    PoolFixture pool = new PoolFixture(s -> s);
    List<Future<Tunnel>> tunnels = pool.open(100);

    pool.failDial();

    assertThat(tunnels)
        .allSatisfy(t -> assertThat(t.cause()).isInstanceOf(TunnelException.ConnectFailed.class));
    assertThat(pool.dials()).isEqualTo(1);
    assertThat(pool.statistics().targets()).isZero();
    pool.open();
    assertThat(pool.dials()).isEqualTo(2);
  }

  @Test
  @DisplayName("who waits for credit is served in the order of the calls")
  void firstComeFirstServed() {
    PoolFixture pool = new PoolFixture(s -> s.maxConnectionsPerTarget(1));
    List<Future<Tunnel>> tunnels = pool.open(4);
    FakeConnection connection = pool.connect(2);
    connection.acceptAll();
    assertThat(tunnels.subList(0, 2)).allMatch(Future::isSuccess);

    connection.endOne();
    connection.acceptAll();

    assertThat(tunnels.get(2).isSuccess()).isTrue();
    assertThat(tunnels.get(3).isDone()).isFalse();
    assertThat(pool.dials()).isEqualTo(1);
  }

  @Test
  @DisplayName("one more caller than may wait is told so at once")
  void waitingIsBounded() {
    PoolFixture pool = new PoolFixture(s -> s.maxWaitingPerTarget(3));

    List<Future<Tunnel>> tunnels = pool.open(4);

    assertThat(tunnels.get(3).cause())
        .isInstanceOf(TunnelException.Overloaded.class)
        .hasMessageContaining("maxWaitingPerTarget");
    assertThat(tunnels.subList(0, 3)).noneMatch(Future::isDone);
  }

  @Test
  @DisplayName("the own limit of streams holds where the peer would allow more")
  void moreConnectionsWhenFull() {
    PoolFixture pool = new PoolFixture(s -> s.maxConnectionsPerTarget(2));
    pool.open(5);

    FakeConnection first = pool.connect(2);
    FakeConnection second = pool.connect(2);

    assertThat(first.opens()).isEqualTo(2);
    assertThat(second.opens()).isEqualTo(2);
    assertThat(pool.dials()).isEqualTo(2);
    assertThat(pool.statistics().waiting()).isEqualTo(1);
  }

  @Test
  @DisplayName("a connection that was full is used again when a stream of it ends")
  void fullOnesReturn() {
    PoolFixture pool = new PoolFixture(s -> s);
    pool.open(2);
    FakeConnection connection = pool.connect(2);

    connection.endOne();
    pool.open();

    assertThat(connection.opens()).isEqualTo(3);
    assertThat(pool.dials()).isEqualTo(1);
  }

  @Test
  @DisplayName("a peer that grants no stream on a fresh connection is not given another one")
  void zeroStreamsMeansWait() {
    PoolFixture pool = new PoolFixture(s -> s);
    Future<Tunnel> tunnel = pool.open();
    FakeConnection connection = pool.connect(0);
    pool.open(5);
    assertThat(pool.dials()).isEqualTo(1);

    connection.limit(10);
    connection.acceptAll();

    assertThat(tunnel.isSuccess()).isTrue();
    assertThat(connection.opens()).isEqualTo(6);
  }

  @Test
  @DisplayName("credit that is gone when the event loop looks again is not overdrawn")
  void staleCreditIsTakenBack() {
    PoolFixture pool = new PoolFixture(s -> s);
    pool.open();
    FakeConnection connection = pool.connect(2);
    connection.limitUnnoticed(1);

    Future<Tunnel> second = pool.open();

    assertThat(connection.opens()).isEqualTo(1);
    assertThat(pool.dials()).isEqualTo(2);
    FakeConnection other = pool.connect(2);
    other.acceptAll();
    assertThat(second.isSuccess()).isTrue();
  }

  @Test
  @DisplayName("an open that was surely not processed goes to another connection unseen")
  void notProcessedIsRetried() {
    PoolFixture pool = new PoolFixture(s -> s);
    Future<Tunnel> tunnel = pool.open();
    FakeConnection first = pool.connect(10);

    first.fail(0, NOT_PROCESSED);
    FakeConnection second = pool.connect(10);
    second.acceptAll();

    assertThat(tunnel.isSuccess()).isTrue();
    assertThat(first.opens()).isEqualTo(1);
    assertThat(pool.statistics().opensRetried()).isEqualTo(1);
  }

  @Test
  @DisplayName("a request that was refused does not hold up those behind it")
  void refusedOneIsPassedOver() {
    PoolFixture pool = new PoolFixture(s -> s);
    pool.open();
    FakeConnection first = pool.connect(10);
    first.fail(0, NOT_PROCESSED);

    pool.open();

    assertThat(first.opens()).isEqualTo(2);
    assertThat(pool.statistics().waiting()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "at the limit of connections a refused request may return to the one that refused it")
  void refusedOneReturnsWhenThereIsNoOther() {
    PoolFixture pool = new PoolFixture(s -> s.maxConnectionsPerTarget(1));
    Future<Tunnel> tunnel = pool.open();
    FakeConnection only = pool.connect(10);

    only.fail(0, NOT_PROCESSED);
    only.accept(1);

    assertThat(tunnel.isSuccess()).isTrue();
  }

  @Test
  @DisplayName("retries end after four attempts, with the peer's reason")
  void retriesAreBounded() {
    PoolFixture pool = new PoolFixture(s -> s.maxConnectionsPerTarget(1));
    Future<Tunnel> tunnel = pool.open();
    FakeConnection only = pool.connect(10);

    for (int attempt = 0; attempt < 4; attempt++) {
      only.fail(attempt, NOT_PROCESSED);
    }

    assertThat(only.opens()).isEqualTo(4);
    assertThat(tunnel.cause()).isSameAs(NOT_PROCESSED);
  }

  @Test
  @DisplayName("any other failure goes to the caller and keeps the connection")
  void refusalIsNotRetried() {
    PoolFixture pool = new PoolFixture(s -> s);
    Future<Tunnel> tunnel = pool.open();
    FakeConnection connection = pool.connect(10);
    TunnelException refused = new TunnelException.Refused(503, "no application");

    connection.fail(0, refused);
    pool.open();

    assertThat(tunnel.cause()).isSameAs(refused);
    assertThat(connection.opens()).isEqualTo(2);
    assertThat(pool.dials()).isEqualTo(1);
  }

  @Test
  @DisplayName("a caller that gave up leaves the queue, and gets no stream")
  void cancelledWhileWaiting() {
    PoolFixture pool = new PoolFixture(s -> s);
    List<Future<Tunnel>> tunnels = pool.open(2);

    tunnels.get(0).cancel(false);
    pool.turn();
    assertThat(pool.statistics().waiting()).isEqualTo(1);
    FakeConnection connection = pool.connect(10);

    assertThat(connection.opens()).isEqualTo(1);
  }

  @Test
  @DisplayName("a caller that gives up takes back the open that is under way")
  void cancelledWhileOpening() {
    PoolFixture pool = new PoolFixture(s -> s);
    Future<Tunnel> tunnel = pool.open();
    FakeConnection connection = pool.connect(10);

    tunnel.cancel(false);

    assertThat(connection.open(0).isCancelled()).isTrue();
  }

  @Test
  @DisplayName("a tunnel that opens for a caller who has just given up is reset")
  void cancelledTooLate() {
    PoolFixture pool = new PoolFixture(s -> s);
    Future<Tunnel> tunnel = pool.open();
    FakeConnection connection = pool.connect(10);
    connection.tooLateToCancel(0);

    tunnel.cancel(false);
    connection.accept(0);

    assertThat(connection.resets()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "after GOAWAY a connection only finishes what it carries, then all its state is gone")
  void goAwayLeavesTheRotation() {
    PoolFixture pool = new PoolFixture(s -> s);
    pool.open();
    FakeConnection first = pool.connect(10);
    first.goAway();

    pool.open();
    FakeConnection second = pool.connect(10);

    assertThat(first.isLeaving()).isTrue();
    assertThat(first.closed().isDone()).isFalse();
    assertThat(pool.statistics().leavingConnections()).isEqualTo(1);
    first.acceptAll();
    second.acceptAll();
    first.endOne();
    second.lose();
    pool.turn();
    assertThat(pool.statistics().targets()).isZero();
    assertThat(pool.nextTimer()).isEqualTo(-1);
  }

  @Test
  @DisplayName("who waits when the last connection is lost gets a new one")
  void lossOfAllDialsAgain() {
    PoolFixture pool = new PoolFixture(s -> s.maxConnectionsPerTarget(1));
    List<Future<Tunnel>> tunnels = pool.open(2);
    FakeConnection first = pool.connect(1);

    first.lose();
    pool.turn();
    FakeConnection second = pool.connect(1);
    second.acceptAll();

    assertThat(tunnels.get(1).isSuccess()).isTrue();
  }

  @Test
  @DisplayName("idleness counts from the end of the last stream, not from its start")
  void idleFromTheLastEnd() {
    PoolFixture pool = new PoolFixture(s -> s.idleTimeout(Duration.ofSeconds(60)));
    pool.open();
    FakeConnection connection = pool.connect(10);
    pool.pass(Duration.ofSeconds(600));
    assertThat(connection.isLeaving()).isFalse();
    connection.endOne();

    pool.pass(Duration.ofSeconds(59));
    assertThat(connection.isLeaving()).isFalse();
    pool.pass(Duration.ofSeconds(1));

    assertThat(connection.closed().isDone()).isTrue();
    assertThat(pool.statistics().targets()).isZero();
  }

  @Test
  @DisplayName("a tunnel in between starts idleness anew")
  void useRestartsIdleness() {
    PoolFixture pool = new PoolFixture(s -> s.idleTimeout(Duration.ofSeconds(60)));
    pool.open();
    FakeConnection connection = pool.connect(10);
    connection.endOne();
    pool.pass(Duration.ofSeconds(50));
    pool.open();
    connection.endOne();

    pool.pass(Duration.ofSeconds(59));
    assertThat(connection.isLeaving()).isFalse();
    pool.pass(Duration.ofSeconds(1));

    assertThat(connection.isLeaving()).isTrue();
    assertThat(pool.nextTimer()).isEqualTo(-1);
  }

  @Test
  @DisplayName("the next connection is opened before the last one is full")
  void opensAhead() {
    PoolFixture pool = new PoolFixture(s -> s, 10);
    pool.open(90);
    FakeConnection first = pool.connect(100);
    assertThat(pool.dials()).isEqualTo(1);

    Future<Tunnel> tunnel = pool.open();
    first.acceptAll();

    assertThat(tunnel.isSuccess()).isTrue();
    assertThat(pool.dials()).isEqualTo(2);
  }

  @Test
  @DisplayName("a connection ahead that fails disturbs nobody and is not dialled again and again")
  void failedSpareIsLeftAlone() {
    PoolFixture pool = new PoolFixture(s -> s, 10);
    pool.open(91);
    FakeConnection first = pool.connect(100);
    pool.failDial();

    List<Future<Tunnel>> more = pool.open(9);
    first.acceptAll();

    assertThat(more).allMatch(Future::isSuccess);
    assertThat(pool.dials()).isEqualTo(2);
    pool.open();
    assertThat(pool.dials()).isEqualTo(3);
  }

  @Test
  @DisplayName("a connection on the caller's event loop is preferred, then the least loaded")
  void nearestThenLeastLoaded() {
    PoolFixture pool = new PoolFixture(s -> s);
    EventLoop elsewhere = new EmbeddedChannel().eventLoop();
    pool.open();
    FakeConnection near = pool.connect(2);
    pool.open(2);
    FakeConnection far = new FakeConnection(elsewhere, 2);
    pool.connect(far);
    assertThat(far.opens()).isEqualTo(1);
    near.endOne();
    near.endOne();

    pool.openOn(elsewhere);
    pool.openOn(new DefaultEventLoop());

    assertThat(far.opens()).isEqualTo(2);
    assertThat(near.opens()).isEqualTo(3);
  }

  @Test
  @DisplayName("who waits for credit too long is told which limits held him up")
  void waitingEnds() {
    PoolFixture pool =
        new PoolFixture(
            s ->
                s.maxConnectionsPerTarget(1)
                    .connectTimeout(Duration.ofSeconds(1))
                    .tlsTimeout(Duration.ofSeconds(1))
                    .settingsTimeout(Duration.ofSeconds(1)));
    List<Future<Tunnel>> tunnels = pool.open(2);
    pool.connect(1);

    pool.pass(Duration.ofMillis(2999));
    assertThat(tunnels.get(1).isDone()).isFalse();
    pool.pass(Duration.ofMillis(1));

    assertThat(tunnels.get(1).cause())
        .isInstanceOf(TunnelException.Overloaded.class)
        .hasMessageContaining("maxConnectionsPerTarget");
    assertThat(pool.statistics().waiting()).isZero();
  }

  @Test
  @DisplayName("while a dial is under way its own end is awaited, for it says more")
  void dialEndsBeforeWaitingDoes() {
    PoolFixture pool = new PoolFixture(s -> s);
    Future<Tunnel> tunnel = pool.open();

    pool.pass(Duration.ofSeconds(31));
    assertThat(tunnel.isDone()).isFalse();
    pool.failDial();

    assertThat(tunnel.cause()).isInstanceOf(TunnelException.ConnectFailed.class);
  }

  @Test
  @DisplayName("closing refuses new tunnels and whoever waits, lets open ones end, then is done")
  void closeIsGraceful() {
    PoolFixture pool = new PoolFixture(s -> s.maxConnectionsPerTarget(1));
    List<Future<Tunnel>> tunnels = pool.open(2);
    FakeConnection connection = pool.connect(1);
    connection.acceptAll();

    Future<Void> done = pool.pool.close(Duration.ofSeconds(5));

    assertThat(tunnels.get(1).cause()).isInstanceOf(TunnelException.Closed.class);
    assertThat(pool.open().cause()).isInstanceOf(TunnelException.Closed.class);
    assertThat(done.isDone()).isFalse();
    connection.endOne();
    pool.turn();
    assertThat(done.isSuccess()).isTrue();
  }

  @Test
  @DisplayName("what is still open after the grace period is cut")
  void closeCutsTheRest() throws Exception {
    PoolFixture pool = new PoolFixture(s -> s);
    pool.open();
    FakeConnection connection = pool.connect(1);
    Future<Void> done = pool.pool.close(Duration.ofSeconds(5));

    pool.pass(Duration.ofSeconds(5));

    assertThat(connection.closed().isDone()).isTrue();
    assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @DisplayName("closing gives up the dial, and closes what it may still bring")
  void closeWhileDialing() {
    PoolFixture pool = new PoolFixture(s -> s);
    Future<Tunnel> tunnel = pool.open();

    Future<Void> done = pool.pool.close(Duration.ofSeconds(5));

    assertThat(tunnel.cause()).isInstanceOf(TunnelException.Closed.class);
    assertThat(pool.dial(0).isCancelled()).isTrue();
    assertThat(done.isSuccess()).isTrue();
  }
}
