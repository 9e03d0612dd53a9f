// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.netty;

import io.heddle.hbone.Authority;
import io.heddle.hbone.TunnelHeaders;
import io.heddle.identity.PeerSvid;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A CONNECT that waits for its answer, which must come exactly once. {@link #accept} and {@link
 * #refuse} are called on {@link #eventLoop()}, everything else on any thread.
 */
public interface TunnelRequest {

  /**
   * Who asks.
   *
   * @return the identity that the peer's certificate proved
   */
  PeerSvid peer();

  /**
   * Where the peer's connection comes from.
   *
   * @return the remote address
   */
  InetSocketAddress remoteAddress();

  /**
   * Where the peer's connection arrived.
   *
   * @return the local address
   */
  InetSocketAddress localAddress();

  /**
   * What the tunnel shall lead to.
   *
   * @return the authority of the CONNECT
   */
  Authority authority();

  /**
   * What travelled with the CONNECT.
   *
   * @return the headers
   */
  TunnelHeaders headers();

  /**
   * The loop of the connection, on which the tunnel will live.
   *
   * @return the event loop
   */
  EventLoop eventLoop();

  /**
   * Answers 200 and opens the tunnel.
   *
   * @param baggage the header of the answer that describes the destination, or null
   * @param initializer added to the tunnel's pipeline before it becomes active
   * @return the tunnel; closed already when the request was cancelled
   * @throws IllegalStateException when the request has its answer, or on another thread
   */
  Tunnel accept(@Nullable String baggage, ChannelHandler initializer);

  /**
   * Answers with a status and no tunnel. Does nothing when the request was cancelled.
   *
   * @param status the HTTP status; peers use 400, 401 and 503
   * @throws IllegalStateException when the request has its answer, or on another thread
   */
  void refuse(int status);

  /**
   * Whether the peer gave up before the answer.
   *
   * @return succeeds when the stream or its connection ended unanswered; is cancelled by the answer
   */
  Future<Void> cancelled();
}
