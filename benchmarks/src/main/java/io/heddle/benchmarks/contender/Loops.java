// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.contender;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The transport that all contenders share: NIO, as the mesh has it. */
final class Loops {

  private Loops() {}

  static EventLoopGroup one(String name) {
    return new MultiThreadIoEventLoopGroup(
        1,
        new DefaultThreadFactory("bench-" + name, /* daemon= */ true),
        NioIoHandler.newFactory());
  }

  static void stop(EventLoopGroup group) {
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
