// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.pool;

import io.heddle.hbone.internal.h2.ClientConnection;
import io.heddle.hbone.netty.TunnelTarget;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

/** Makes connections; fails with a {@link io.heddle.hbone.TunnelException} that names the phase. */
@FunctionalInterface
public interface Dialer {

  /**
   * Connects. Every phase has its own deadline, so the future always completes.
   *
   * @param loop that the connection shall live on
   */
  Future<ClientConnection> connect(EventLoop loop, TunnelTarget target);
}
