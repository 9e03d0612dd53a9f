// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.identity.PeerAuthorizer;
import io.heddle.identity.PeerSvid;
import io.heddle.identity.SpiffeId;
import io.heddle.identity.netty.MeshTls;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.Future;
import java.util.List;

/** Mutual TLS, as the mesh demands it. */
public record MutualTls(MeshTls tls) implements TransportSecurity {

  @Override
  public Future<PeerSvid> secureClient(ChannelPipeline pipeline, List<SpiffeId> expected) {
    // Nobody expected is nobody accepted: a lost list must not open the door.
    PeerAuthorizer authorizer =
        expected.isEmpty()
            ? PeerAuthorizer.not(PeerAuthorizer.anyPeer())
            : PeerAuthorizer.oneOf(expected);
    return tls.addClient(pipeline, authorizer);
  }

  @Override
  public Future<PeerSvid> secureServer(ChannelPipeline pipeline) {
    return tls.addServer(pipeline);
  }
}
