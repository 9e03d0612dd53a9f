// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.runtime;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The threads that carry every tunnel of a mesh. */
final class EventLoops {

  private EventLoops() {}

  /**
   * NIO, because Netty 4.2.18's epoll transport loses connections that are half-closed: when the
   * peer has ended its direction the descriptor is taken out of the epoll set and never put back,
   * and the first write that has to wait for room fails with ENOENT. Tunnels end directions one by
   * one all day. Daemons, so that they never keep an application alive.
   */
  static EventLoopGroup start(int threads) {
    return new MultiThreadIoEventLoopGroup(
        threads,
        new DefaultThreadFactory("heddle-loop", /* daemon= */ true),
        NioIoHandler.newFactory());
  }
}
