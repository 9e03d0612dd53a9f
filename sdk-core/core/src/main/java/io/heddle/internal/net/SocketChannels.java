// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.net;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** TCP channels of the kind that an event loop can serve. */
public final class SocketChannels {

  private SocketChannels() {}

  /** A channel for the given loop: epoll where the loop is one of epoll, else NIO. */
  public static SocketChannel open(EventLoop loop) {
    return Epoll.isAvailable()
            && loop instanceof IoEventLoop ioLoop
            && ioLoop.isIoType(EpollIoHandler.class)
        ? new EpollSocketChannel()
        : new NioSocketChannel();
  }
}
