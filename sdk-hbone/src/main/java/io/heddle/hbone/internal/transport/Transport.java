// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.transport;

import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Epoll where the platform has it, the JDK's selectors elsewhere. */
@SuppressWarnings("ImmutableEnumChecker") // Its factories are method references.
public enum Transport {
  /** Linux epoll. */
  EPOLL(EpollSocketChannel::new, EpollServerSocketChannel::new),
  /** The JDK's selectors. */
  NIO(NioSocketChannel::new, NioServerSocketChannel::new);

  private static final Logger logger = LoggerFactory.getLogger(Transport.class);

  private final ChannelFactory<SocketChannel> sockets;
  private final ChannelFactory<ServerSocketChannel> serverSockets;

  Transport(
      ChannelFactory<SocketChannel> sockets, ChannelFactory<ServerSocketChannel> serverSockets) {
    this.sockets = sockets;
    this.serverSockets = serverSockets;
  }

  /** The best transport of this platform. */
  public static Transport preferred() {
    if (Epoll.isAvailable()) {
      return EPOLL;
    }
    logger.debug("epoll is not available, using NIO", Epoll.unavailabilityCause());
    return NIO;
  }

  /** The transport that a group (or a single loop) was made for. */
  public static Transport of(EventLoopGroup group) {
    if (group instanceof IoEventLoopGroup io) {
      if (io.isIoType(EpollIoHandler.class)) {
        return EPOLL;
      }
      if (io.isIoType(NioIoHandler.class)) {
        return NIO;
      }
    }
    throw new IllegalArgumentException(
        "event loop group " + group + " (expected: one of Netty's epoll or NIO transports)");
  }

  /** New loops on daemon threads: a forgotten tunnel keeps no JVM alive. */
  public EventLoopGroup newGroup(int threads, String name) {
    IoHandlerFactory handler =
        this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), handler);
  }

  /** Makes the channels that dial. */
  public ChannelFactory<SocketChannel> sockets() {
    return sockets;
  }

  /** Makes the channels that listen. */
  public ChannelFactory<ServerSocketChannel> serverSockets() {
    return serverSockets;
  }
}
