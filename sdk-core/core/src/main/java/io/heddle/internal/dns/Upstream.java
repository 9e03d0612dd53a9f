// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.dns;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

/** Who is asked what the mesh does not know. */
@FunctionalInterface
public interface Upstream {

  /**
   * Forwards a query as it came.
   *
   * @param query stays the caller's
   * @param byTcp how the client has asked
   * @return the answer as it came, with the query's id, to be released; or a failure
   */
  Future<ByteBuf> ask(ByteBuf query, boolean byTcp, EventLoop loop);
}
