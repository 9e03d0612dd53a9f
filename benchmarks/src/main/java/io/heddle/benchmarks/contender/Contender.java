// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.contender;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * One way to carry bytes between a client and a server in this process. All contenders have one
 * event loop for the client's side and one for the server's.
 */
public interface Contender extends AutoCloseable {

  /** Short name for tables, such as {@code mtls}. */
  String name();

  /** What the server does with each connection; called once, before the first {@link #open}. */
  void serve(Supplier<? extends ChannelHandler> application) throws InterruptedException;

  /** Opens one connection; the handler is added when it is established. */
  Future<? extends Channel> open(ChannelHandler application);

  /** Opens one connection and waits until it is established. */
  default Channel connect(ChannelHandler application) throws InterruptedException {
    return open(application).sync().getNow();
  }

  @Override
  void close();
}
