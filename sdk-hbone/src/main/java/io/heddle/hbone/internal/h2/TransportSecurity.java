// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.Future;
import java.util.List;

/** Secures the pipeline of a new connection, and tells who the peer is. */
public interface TransportSecurity {

  /**
   * For a connection that we dialled.
   *
   * @param expected who the peer may be
   */
  Future<PeerSvid> secureClient(ChannelPipeline pipeline, List<SpiffeId> expected);

  /** For a connection that we accepted. */
  Future<PeerSvid> secureServer(ChannelPipeline pipeline);
}
