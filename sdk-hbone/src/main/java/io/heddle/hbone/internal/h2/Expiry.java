// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import static io.netty.handler.codec.http2.Http2Error.CONNECT_ERROR;

import io.heddle.hbone.ExpiredTunnels;
import io.heddle.hbone.TunnelException;
import io.heddle.hbone.netty.IdentityExpiredEvent;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A certificate of a connection has ended: what its open tunnels learn. Event loop only. */
final class Expiry {
  private static final Logger logger = LoggerFactory.getLogger(Expiry.class);

  private final TunnelConnection connection;
  private final ConnectionAge.Terms terms;

  Expiry(TunnelConnection connection, ConnectionAge.Terms terms) {
    this.connection = connection;
    this.terms = terms;
  }

  void apply(ExpiredTunnels policy) {
    List<Http2Stream> open = OpenStreams.of(connection.connection());
    if (open.isEmpty() || policy == ExpiredTunnels.IGNORE) {
      return;
    }
    boolean cut = policy == ExpiredTunnels.CUT;
    logger.warn(
        "{} certificate of the connection to {} ended at {}: {} open tunnels {}",
        terms.ours() ? "our" : "the peer's",
        connection.describePeer(),
        terms.expiry(),
        open.size(),
        cut ? "are cut" : "go on");
    for (Http2Stream stream : open) {
      if (cut) {
        cut(stream);
      } else {
        tell(stream);
      }
    }
  }

  private void tell(Http2Stream stream) {
    if (connection.events(stream) instanceof StreamTunnel tunnel) {
      tunnel
          .channel()
          .pipeline()
          .fireUserEventTriggered(
              new IdentityExpiredEvent(connection.peer().id(), terms.ours(), terms.expiry()));
    }
  }

  private void cut(Http2Stream stream) {
    if (connection.events(stream) instanceof StreamTunnel tunnel) {
      tunnel.cut(
          CONNECT_ERROR,
          new TunnelException.IdentityExpired(
              "tunnel to %s over %s was cut: %s certificate ended at %s"
                  .formatted(
                      tunnel.channel().authority(),
                      connection.describePeer(),
                      terms.ours() ? "our" : "its",
                      terms.expiry())));
    } else {
      connection.reset(stream, CONNECT_ERROR);
    }
  }
}
