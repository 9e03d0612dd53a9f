// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

/**
 * Serves connections that the mesh delivers inside the process. Called on a thread of the
 * application's choosing, where it may block; the connection is closed when it returns or throws.
 */
@FunctionalInterface
public interface ConnectionHandler {

  /**
   * Serves one connection.
   *
   * @param connection an admitted connection; its peer is known
   * @throws Exception whatever ends the connection as a reset
   */
  void handle(MeshConnection connection) throws Exception;
}
