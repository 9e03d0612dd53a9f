// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.util.Optional;

/**
 * An established byte connection, through a tunnel or in plain text. Reads and writes block the
 * calling thread (virtual threads are welcome); one thread may read while another writes.
 */
public interface MeshConnection extends AutoCloseable {

  /**
   * Bytes from the peer. It ends after the peer has shut down its output; a connection that was
   * reset throws instead.
   *
   * @return the one input stream of this connection
   */
  InputStream input();

  /**
   * Bytes to the peer. Closing it is {@link #shutdownOutput}.
   *
   * @return the one output stream of this connection
   */
  OutputStream output();

  /** Ends this direction; the peer reads to the end and may still answer. */
  void shutdownOutput();

  /**
   * Who is at the other end.
   *
   * @return empty on a plain-text connection
   */
  Optional<PeerIdentity> peer();

  /**
   * Where the bytes go: of a tunnel, the HBONE endpoint.
   *
   * @return the remote address of the connection that carries this one
   */
  SocketAddress remoteAddress();

  /** Closes both directions. Unfinished, it reaches the peer as a reset. */
  @Override
  void close();
}
