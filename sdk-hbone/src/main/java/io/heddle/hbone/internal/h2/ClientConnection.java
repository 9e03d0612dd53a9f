// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.hbone.netty.Tunnel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

/**
 * An HTTP/2 connection that opens tunnels. Every method is called on {@link #eventLoop()}, unless
 * it says otherwise.
 */
public interface ClientConnection {

  /** The loop of the connection and of all its tunnels. Any thread. */
  EventLoop eventLoop();

  /**
   * How many more tunnels fit now: the smaller of our own limit and the peer's, less those that are
   * open; 0 when {@link #accepting()} is false.
   */
  int streamCredit();

  /** Tunnels that are open or being opened. */
  int activeStreams();

  /** Whether no GOAWAY was seen and no close has begun. The credit may still be 0. */
  boolean accepting();

  /**
   * Sends a CONNECT. The future succeeds on 200 and fails with a {@code TunnelException}: {@code
   * NotProcessed} when the peer has surely not processed it. Cancelling the future resets the
   * stream.
   *
   * @param initializer added to the tunnel's pipeline before it becomes active
   */
  Future<Tunnel> open(Authority authority, TunnelHeaders headers, ChannelHandler initializer);

  /** Who to tell when {@link #streamCredit()} or {@link #accepting()} may have changed. */
  void listener(Runnable creditOrStateChanged);

  /** Succeeds when the connection below is gone; never fails. Any thread. */
  Future<Void> closed();

  /** Opens no more tunnels and closes after the last one. */
  void closeWhenIdle();

  /** Closes now and cuts every tunnel. */
  void closeNow();
}
