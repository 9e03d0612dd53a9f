// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.util.function.Supplier;

/**
 * One way to carry bytes between a client and a server in this process. All contenders have one
 * event loop for the client's side and one for the server's.
 */
interface Contender extends AutoCloseable {

  /** Short name for tables, such as {@code mtls}. */
  String name();

  /** What the server does with each connection; called before the first {@link #connect}. */
  void serve(Supplier<ChannelHandler> application) throws Exception;

  /** Opens one connection and waits until it is established. */
  Channel connect(ChannelHandler application) throws Exception;

  @Override
  void close();
}
