// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.internal.h2.ClientConnection;
import io.netty.channel.EventLoop;
import java.util.function.Consumer;

/**
 * What the pool knows of a connection. The truth about credit lives on the connection's event loop;
 * here is the copy that other threads decide by, less what they have already promised away. A
 * decision made on an old copy is noticed on the loop and taken back.
 *
 * <p>Guarded by the lock of the target.
 */
final class PooledConnection {

  private final ClientConnection connection;
  private final IdleWatch idleWatch;

  private int credit;
  private int active;
  private int promised;

  PooledConnection(ClientConnection connection, long idleNanos, Consumer<PooledConnection> onIdle) {
    this.connection = connection;
    this.idleWatch = new IdleWatch(connection, idleNanos, () -> onIdle.accept(this));
  }

  ClientConnection connection() {
    return connection;
  }

  /** Belongs to the event loop of the connection, not to the lock. */
  IdleWatch idleWatch() {
    return idleWatch;
  }

  EventLoop eventLoop() {
    return connection.eventLoop();
  }

  /** Takes over the numbers of the event loop; called there. */
  void refresh() {
    credit = connection.streamCredit();
    active = connection.activeStreams();
  }

  void promise() {
    promised++;
  }

  void promiseKept() {
    promised--;
  }

  /** Tunnels that can still be opened. */
  int available() {
    // The peer may lower its limit below what is open already.
    return Math.max(0, credit - promised);
  }

  int active() {
    return active;
  }

  int load() {
    return active + promised;
  }

  /** What it can carry in all, as the peer has it now. */
  int capacity() {
    return credit + active;
  }

  boolean isUnused() {
    return load() == 0;
  }
}
