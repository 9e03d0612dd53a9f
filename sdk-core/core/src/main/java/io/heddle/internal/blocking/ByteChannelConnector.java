// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import io.netty.channel.ChannelHandler;
import io.netty.channel.socket.DuplexChannel;
import java.net.InetAddress;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Opens byte channels to named destinations. */
@FunctionalInterface
public interface ByteChannelConnector {

  /**
   * Starts to connect; never blocks. The stage completes with a channel that is active, or with the
   * reason why there is none. A connector that fails at once may also throw.
   *
   * @param host the name or literal that the application asked for, without brackets
   * @param resolved the address, when the application had resolved the name itself
   * @param port the destination port
   * @param first must be in the channel's pipeline before the channel becomes active, so that it
   *     sees every byte; it takes over the channel's reads, and closes the channel when the
   *     application has given up meanwhile
   */
  CompletionStage<DuplexChannel> connect(
      String host, @Nullable InetAddress resolved, int port, ChannelHandler first);
}
