// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.blocking;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * An endpoint known by its name only, in a form that {@code java.net.Socket} lets pass: newer JDKs
 * refuse unresolved addresses before the socket's own transport is asked.
 */
final class NamedEndpoint extends InetSocketAddress {

  private static final long serialVersionUID = 1L;

  private NamedEndpoint(InetAddress namedPlaceholder, int port) {
    super(namedPlaceholder, port);
  }

  static NamedEndpoint of(InetSocketAddress unresolved) {
    return new NamedEndpoint(named(unresolved.getHostString(), new byte[4]), unresolved.getPort());
  }

  /** An address that carries the name, so that nothing asks DNS for it. */
  static InetAddress named(String host, byte[] address) {
    try {
      return InetAddress.getByAddress(host, address);
    } catch (UnknownHostException impossible) {
      throw new AssertionError("an address of " + address.length + " bytes", impossible);
    }
  }
}
