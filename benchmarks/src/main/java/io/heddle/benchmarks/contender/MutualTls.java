// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.benchmarks.contender;

import io.heddle.identity.SpiffeId;
import io.heddle.identity.netty.MeshTls;

/**
 * TLS of both ends of the plain contender: the very engine, ciphers and verification of the mesh.
 *
 * @param client the connecting end's
 * @param server the accepting end's
 * @param expected who the client expects
 */
public record MutualTls(MeshTls client, MeshTls server, SpiffeId expected)
    implements AutoCloseable {

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
