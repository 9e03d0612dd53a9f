// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.inbound;

import io.netty.channel.ChannelHandler;
import java.net.InetSocketAddress;

/** How connections to an exposed port reach the application. */
public sealed interface Delivery {

  /**
   * By a TCP connection to an address of this host.
   *
   * @param address where the application listens, usually on loopback
   */
  record ByTcp(InetSocketAddress address) implements Delivery {}

  /**
   * Inside the process, on the event loop of the tunnel.
   *
   * @param applications makes the application's part of each tunnel's pipeline
   */
  record InProcess(Applications applications) implements Delivery {}

  /** The application's end of tunnels that are delivered inside the process. */
  @FunctionalInterface
  interface Applications {

    /** The handler for one tunnel, added when the tunnel exists. Called on its event loop. */
    ChannelHandler forPeer(AdmittedPeer peer);
  }
}
