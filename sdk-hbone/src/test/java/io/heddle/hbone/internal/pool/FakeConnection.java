// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.netty.Tunnel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection without a wire: the test plays the peer. */
final class FakeConnection implements ClientConnection {

  private final EventLoop loop;
  private final Promise<Void> closed;
  private final List<Promise<Tunnel>> opens = new ArrayList<>();
  private final AtomicInteger resets = new AtomicInteger();
  private int limit;
  private int active;
  private boolean accepting = true;
  private boolean leaving;
  private int tunnelsOfItsLife;
  private Runnable listener = () -> {};

  FakeConnection(EventLoop loop, int limit) {
    this.loop = loop;
    this.limit = limit;
    this.closed = loop.newPromise();
  }

  /** Accepts each tunnel by itself, which ends at once; says GOAWAY after so many. */
  static FakeConnection shortLived(EventLoop loop, int limit, int tunnels) {
    FakeConnection connection = new FakeConnection(loop, limit);
    connection.tunnelsOfItsLife = tunnels;
    return connection;
  }

  // ---- what the peer does

  /** Answers the n-th open, counted from 0, with 200. */
  void accept(int n) {
    opens.get(n).trySuccess(tunnel());
  }

  void acceptAll() {
    for (int n = 0; n < opens.size(); n++) {
      accept(n);
    }
  }

  /** As when the answer is already on its way to the caller. */
  void tooLateToCancel(int n) {
    opens.get(n).setUncancellable();
  }

  void fail(int n, TunnelException cause) {
    active--;
    opens.get(n).tryFailure(cause);
    listener.run();
    closeIfDone();
  }

  void endOne() {
    active--;
    listener.run();
    closeIfDone();
  }

  void limit(int streams) {
    limit = streams;
    listener.run();
  }

  /** The limit changes, and the pool does not know yet. */
  void limitUnnoticed(int streams) {
    limit = streams;
  }

  void goAway() {
    accepting = false;
    listener.run();
  }

  void lose() {
    accepting = false;
    active = 0;
    closed.trySuccess(null);
  }

  // ---- what the test asks

  int opens() {
    return opens.size();
  }

  Future<Tunnel> open(int n) {
    return opens.get(n);
  }

  int resets() {
    return resets.get();
  }

  boolean isLeaving() {
    return leaving;
  }

  // ---- what the pool sees

  @Override
  public EventLoop eventLoop() {
    return loop;
  }

  @Override
  public int streamCredit() {
    return accepting ? limit - active : 0;
  }

  @Override
  public int activeStreams() {
    return active;
  }

  @Override
  public boolean accepting() {
    return accepting;
  }

  @Override
  public Future<Tunnel> open(
      Authority authority, TunnelHeaders headers, ChannelHandler initializer) {
    if (!accepting || active >= limit) {
      throw new AssertionError("opened beyond the limit of " + limit);
    }
    active++;
    Promise<Tunnel> promise = loop.newPromise();
    opens.add(promise);
    if (tunnelsOfItsLife > 0) {
      int n = opens.size() - 1;
      loop.execute(() -> live(n));
    }
    return promise;
  }

  @Override
  public void listener(Runnable creditOrStateChanged) {
    listener = creditOrStateChanged;
  }

  @Override
  public Future<Void> closed() {
    return closed;
  }

  @Override
  public void closeWhenIdle() {
    leaving = true;
    accepting = false;
    closeIfDone();
  }

  @Override
  public void closeNow() {
    lose();
  }

  private void live(int n) {
    accept(n);
    if (n + 1 == tunnelsOfItsLife) {
      goAway();
    }
    endOne();
  }

  private void closeIfDone() {
    if (leaving && active == 0) {
      closed.trySuccess(null);
    }
  }

  private Tunnel tunnel() {
    return (Tunnel)
        Proxy.newProxyInstance(
            Tunnel.class.getClassLoader(),
            new Class<?>[] {Tunnel.class},
            (proxy, method, args) -> {
              if (method.getName().equals("reset")) {
                resets.incrementAndGet();
                return null;
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }
}
