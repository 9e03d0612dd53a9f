// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.hbone.Authority;
import io.heddle.identity.PeerSvid;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.DuplexChannel;
import java.util.Optional;

/**
 * One HBONE tunnel: a byte stream inside an HTTP/2 CONNECT, as a Netty channel. It carries {@code
 * ByteBuf}s, and lives on the event loop of its connection.
 *
 * <p>{@code shutdownOutput} ends this direction and leaves the other one open; the peer's end
 * arrives as {@code ChannelInputShutdownEvent}, since {@code ALLOW_HALF_CLOSURE} is on unless
 * switched off. A tunnel that the peer cuts fires {@code exceptionCaught} with a {@code
 * TunnelException} and then closes: it never looks like an orderly end. Reading is what gives the
 * peer permission to send: a tunnel with {@code autoRead} off holds its peer back, and disturbs no
 * other tunnel of the connection.
 */
public interface Tunnel extends DuplexChannel {

  /**
   * Who is at the other end of the connection, as its certificate proved.
   *
   * @return the peer's identity
   */
  PeerSvid peer();

  /**
   * What the tunnel leads to.
   *
   * @return the authority of the CONNECT
   */
  Authority authority();

  /**
   * The {@code baggage} of the answer that accepted the tunnel.
   *
   * @return the header, empty when there was none or this is the server's end
   */
  Optional<String> responseBaggage();

  /**
   * Cuts the tunnel with an error, so that the peer knows its bytes are not complete. What waits to
   * be written is dropped.
   *
   * @return succeeds when the tunnel is closed
   */
  ChannelFuture reset();
}
