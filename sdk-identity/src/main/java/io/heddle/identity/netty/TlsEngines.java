// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;

/** Makes the TLS half of a mesh connection with one of the engines. */
interface TlsEngines {

  /** The only protocol spoken inside mesh TLS. */
  String ALPN = "h2";

  /** The only version between mesh peers. */
  String VERSION = "TLSv1.3";

  /**
   * The handler for the end that connects. It is told neither host nor port, and so sends no SNI
   * and never tries to resume a session.
   */
  SslHandler client(ByteBufAllocator allocator) throws SSLException;

  /** The handler for the end that accepts. It demands a certificate and issues no tickets. */
  SslHandler server(ByteBufAllocator allocator) throws SSLException;

  /** Which engine this is, for people. */
  String description();

  /** Frees what the engine holds outside the heap, once its last handler is gone. */
  void close();
}
