// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.soak;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One tunnel as both its ends see it. */
final class Passage {
  final Plan plan;
  final Journal journal;
  final TunnelSide client;
  final TunnelSide server;
  private final AtomicInteger requests = new AtomicInteger();
  private volatile @Nullable ServerLife life;
  private volatile boolean clientOver;
  private volatile boolean serverOver;

  Passage(Plan plan, Journal journal) {
    this.plan = plan;
    this.journal = journal;
    client = new TunnelSide(this, true);
    server = new TunnelSide(this, false);
  }

  /** The server got the CONNECT: once, however often the client had to send it. */
  void arrivedAt(ServerLife at) {
    life = at;
    if (requests.incrementAndGet() > 1) {
      fail("the server was asked twice for one tunnel");
    }
  }

  /** Whether the server that has the tunnel was told to cut what is left by now. */
  boolean wasDrained() {
    ServerLife at = life;
    return at != null && at.mayCut();
  }

  void clientOver() {
    clientOver = true;
  }

  void serverOver() {
    serverOver = true;
  }

  /** An open that was given up may still arrive: such a passage never counts as over. */
  boolean isOver() {
    return clientOver && serverOver;
  }

  /** Whether the server has a tunnel that the client has no more. */
  boolean lingersAtServer() {
    return clientOver && !serverOver && requests.get() > 0;
  }

  void count(Happening happening) {
    journal.count(happening);
  }

  void fail(String what) {
    journal.fail(what + ": " + this);
  }

  @Override
  public String toString() {
    return plan + " client: " + client + " server: " + server;
  }
}
