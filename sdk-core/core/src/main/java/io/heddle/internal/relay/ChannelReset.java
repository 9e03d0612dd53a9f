// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.relay;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;

/** Ends a channel so that its peer sees an error and not an end of stream. */
@FunctionalInterface
public interface ChannelReset {

  /** Resets the channel; pending writes are dropped. Called on the channel's event loop. */
  void reset(DuplexChannel channel);

  /** The TCP way: with a linger time of zero the kernel sends RST where close would send FIN. */
  static ChannelReset ofTcp() {
    return channel -> {
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
      channel.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    };
  }
}
